// `tine ir` and `tine ml` are in a program of their own, `tine-spork`, which `tine` starts as git starts its commands:
// loading LLVM takes 30 ms, and no other subcommand needs it.
#pragma once

#include "cli/command.hpp"
#include "cli/command_tree.hpp"

#include <string>

namespace tine::cli {

inline constexpr const char* about_ir = "Spork IR: checks, prints and runs programs; docs/spork.md is its manual.";
inline constexpr const char* about_ml = "Parallel ML: checks, runs, builds and formats programs in Standard ML.";

/// Adds a subcommand that replaces this process by `tine-spork` with all words of the command line.
command add_spork_program(CLI::App& tine, const char* name, const char* about, char** words);

/// Returns the commands below `app`, with those that `tine-spork` has, if it is installed.
described_command describe_with_spork(const CLI::App& app);

}  // namespace tine::cli
