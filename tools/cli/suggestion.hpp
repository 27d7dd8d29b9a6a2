// Suggests the subcommand or option that a mistyped word was meant to be.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace tine::cli {

/// Says which subcommand or option is nearest to a word that `parsed` does not know; empty if it knows all words, or if no name is
/// near and the word is no subcommand's.
std::string suggestion(const CLI::App& parsed);

}  // namespace tine::cli
