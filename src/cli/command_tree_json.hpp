// Descriptions of commands as JSON, in which `tine-spork` gives its own to `tine`.
#pragma once

#include "cli/command_tree.hpp"

#include <nlohmann/json.hpp>

namespace tine::cli {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(described_option, names, value, choices, needs_value, is_required, takes_many, about,
                                   usual)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(described_command, path, name, about, footer, options, arguments, verbs)

}  // namespace tine::cli
