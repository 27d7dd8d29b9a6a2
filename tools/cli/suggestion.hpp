// Suggests the subcommand or option that a mistyped word was meant to be.
#pragma once

#include "cli/command_tree.hpp"

#include <string>

namespace tine::cli {

/// Says which subcommand or option is nearest to a word that `parsed` does not know; empty if it knows all words, or if
/// no name is near and the word is no subcommand's. `describe` returns the commands below one.
std::string suggestion(const CLI::App& parsed, described_command (*describe)(const CLI::App&));

}  // namespace tine::cli
