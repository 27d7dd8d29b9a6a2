// Descriptions of commands as JSON, in which `tine-spork` gives its own to `tine`.
#pragma once

#include "cli/command_tree.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace tine::cli {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(described_option, names, value, choices, needs_value, is_required, takes_many, about,
                                   usual)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(described_command, path, name, about, footer, options, arguments, verbs)

inline std::string command_tree_json(const described_command& c) { return nlohmann::json(c).dump(); }

inline described_command parse_command_tree_json(const std::string& text) {
  return nlohmann::json::parse(text).get<described_command>();
}

}  // namespace tine::cli
