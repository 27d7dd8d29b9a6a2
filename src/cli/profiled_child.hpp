// Runs a program with a profile.
#pragma once

#include "cli/run_child.hpp"

#include <map>

namespace tine::cli {

/// More environment of the program: values of variables.
using variables = std::map<std::string, std::string>;

/// Runs `command` with TINE_PROFILE asking for `analyses`, a list with commas, into the file `path`; with the library that sees
/// malloc if they need it. Throws `refusal` if there is no such analysis, or no such library.
child_end run_profiled(const std::vector<std::string>& command, const std::string& analyses, const std::string& path,
                       const variables& more = {});

}  // namespace tine::cli
