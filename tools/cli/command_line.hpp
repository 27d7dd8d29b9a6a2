// The common part of the mains of `tine` and of `tine-spork`.
#pragma once

#include "cli/command.hpp"
#include "cli/command_tree.hpp"

#include <vector>

namespace tine::cli {

/// Adds --color to the command and to all below it, so that it may stand anywhere on the command line.
void add_color(CLI::App& app);

/// Parses the command line, and runs the command that it names. Returns the exit code; every error becomes a message,
/// which may suggest one of the commands that `describe` finds below one.
int run_command_line(CLI::App& tine, const std::vector<command>& commands, int argc, char** argv,
                     described_command (*describe)(const CLI::App&));

}  // namespace tine::cli
