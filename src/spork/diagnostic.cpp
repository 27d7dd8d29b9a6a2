// Rendering of diagnostics.
#include "spork/diagnostic.hpp"

#include <algorithm>
#include <tuple>

namespace tine::spork {

std::string render(const diagnostics& all, std::string_view file) {
  std::string text;
  for (const diagnostic& d : all) {
    text.append(file);
    if (d.where.line != 0) text += ":" + std::to_string(d.where.line) + ":" + std::to_string(d.where.column);
    text.append(": ").append(d.rule).append(": ").append(d.message).append("\n");
  }
  return text;
}

void tidy(diagnostics& all) {
  const auto key = [](const diagnostic& d) { return std::tuple{d.where.line, d.where.column, d.rule}; };
  std::ranges::sort(all, {}, [&](const diagnostic& d) { return std::tuple{key(d), std::string_view{d.message}}; });
  const auto twice = std::ranges::unique(all, {}, key);
  all.erase(twice.begin(), twice.end());
}

}  // namespace tine::spork
