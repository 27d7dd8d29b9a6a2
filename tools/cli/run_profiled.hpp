// Runs a program with a profile.
#pragma once

#include "cli/run_child.hpp"

#include <map>

namespace tine::cli {

/// Additional environment variables of the program, with their values.
using variables = std::map<std::string, std::string>;

/// Where the program's standard output goes.
enum class program_output : bool { unchanged, to_standard_error };

/// Runs `command` with TINE_PROFILE set to `analyses`, a list with commas, and to the file `path`. Preloads the library
/// that observes malloc or locks if an analysis needs it. For `time_limit` see run_child. Throws `refusal` if there is
/// no such analysis, or no such library.
child_end run_profiled(const std::vector<std::string>& command, const std::string& analyses, const std::string& path,
                       const variables& more = {}, program_output output = program_output::unchanged,
                       std::uint64_t time_limit = 0);

}  // namespace tine::cli
