// The small programs of library.spork.
#pragma once

#include "ir/load.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

/// Returns the name and the text of each program.
inline std::vector<std::pair<std::string, std::string>> library_texts() {
  std::ifstream in{TINE_SPORK_LIBRARY};
  REQUIRE(in);
  std::vector<std::pair<std::string, std::string>> all;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("//// ")) {
      all.emplace_back(line.substr(5), "");
    } else if (!all.empty()) {
      all.back().second += line + "\n";
    }
  }
  return all;
}

inline tine::spork::program load_good(const std::string& text, const std::string& name) {
  tine::spork::diagnostics wrong;
  tine::spork::program p = tine::spork::load(text, name, wrong);
  REQUIRE_MESSAGE(wrong.empty(), tine::spork::render(wrong, name));
  return p;
}

/// Returns all programs. Requires that they are well-formed.
inline std::vector<tine::spork::program> library() {
  std::vector<tine::spork::program> all;
  for (const auto& [name, text] : library_texts()) all.push_back(load_good(text, name));
  return all;
}
