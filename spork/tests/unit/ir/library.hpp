// The small programs of library.spork.
#pragma once

#include "load_good.hpp"

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

/// Returns all programs. Requires that they are well-formed.
inline std::vector<tine::spork::program> library() {
  std::vector<tine::spork::program> all;
  for (const auto& [name, text] : library_texts()) all.push_back(load_good(text, name));
  return all;
}
