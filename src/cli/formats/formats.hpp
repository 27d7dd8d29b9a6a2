// The formats of other tools, one function and one file each. Each takes a profile with resolved sites and returns the
// file's bytes; it throws `refusal` if the profile lacks what the format shows.
#pragma once

#include "cli/load.hpp"

#include <string>

namespace tine::cli {

std::string to_cilkscale_csv(const loaded& l);
std::string to_collapsed(const loaded& l);
std::string to_dot(const loaded& l);
std::string to_perfetto(const loaded& l);
std::string to_pprof(const loaded& l);
std::string to_speedscope(const loaded& l);

}  // namespace tine::cli
