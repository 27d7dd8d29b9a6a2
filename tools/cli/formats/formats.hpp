// The formats of other tools, one function and one file each. A function takes a profile with resolved sites and
// returns the file's bytes; it throws `refusal` if the profile lacks what the format shows.
#pragma once

#include "cli/load.hpp"

#include <map>
#include <string>

namespace tine::cli {

std::string to_cilkscale_csv(const loaded& l);
std::string to_collapsed(const loaded& l);
std::string to_dot(const loaded& l);
std::string to_perfetto(const loaded& l);
std::string to_pprof(const loaded& l);
std::string to_speedscope(const loaded& l);

using format = std::string (*)(const loaded&);

/// The formats by the names that `tine export --to` takes.
inline const std::map<std::string, format> formats{
    {"cilkscale-csv", to_cilkscale_csv}, {"collapsed", to_collapsed}, {"dot", to_dot},
    {"perfetto", to_perfetto},           {"pprof", to_pprof},         {"speedscope", to_speedscope},
};

}  // namespace tine::cli
