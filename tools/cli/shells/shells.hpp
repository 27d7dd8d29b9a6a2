// The shells that `tine completion` writes scripts for, one function and one file each.
#pragma once

#include "cli/command_tree.hpp"

#include <map>
#include <string>

namespace tine::cli {

std::string for_bash(const described_command& tine);
std::string for_fish(const described_command& tine);
std::string for_zsh(const described_command& tine);

using script_writer = std::string (*)(const described_command& tine);

/// The shells by the names that `tine completion` takes.
inline const std::map<std::string, script_writer> shells{{"bash", for_bash}, {"fish", for_fish}, {"zsh", for_zsh}};

/// Returns the text in single quotes, as bash and zsh read it.
std::string in_quotes(const std::string& text);

/// Returns patterns of a `case` that match "VERB WORD" where WORD is a subcommand of VERB, as "' ir'|'ir run'".
std::string verb_patterns(const described_command& tine, const char* between);

}  // namespace tine::cli
