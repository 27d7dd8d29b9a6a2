// Runs a program with a profile.
#pragma once

#include "cli/run_child.hpp"

namespace tine::cli {

/// Runs `command` with TINE_PROFILE asking for `analyses`, a list with commas, into the file that `path_for` names; with the
/// library that sees malloc if they need it. Throws `refusal` if there is no such analysis, or no such library.
child_end run_profiled(const std::vector<std::string>& command, const std::string& analyses,
                       const std::function<std::string(pid_t)>& path_for);

}  // namespace tine::cli
