// The formats of other tools, one function and one file each. All take a profile with resolved sites and return the file's
// bytes; a profile that lacks what the format shows is a refusal.
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
