// Renders and sorts diagnostics.
#include "ir/diagnostic.hpp"

#include <algorithm>
#include <tuple>

namespace tine::spork {
namespace {

constexpr std::size_t most_shown = 100;  // more errors would not be read

}  // namespace

std::string show(place where, std::string_view file, std::span<const std::string> sources) {
  std::string text{where.source != 0 && where.source <= sources.size() ? sources[where.source - 1] : file};
  if (where.line != 0) text += ":" + std::to_string(where.line) + ":" + std::to_string(where.column);
  return text;
}

std::string render(const diagnostics& all, std::string_view file, std::span<const std::string> sources) {
  std::string text;
  std::size_t shown = 0;
  for (const diagnostic& d : all) {
    if (shown++ == most_shown)
      return text + std::string{file} + ": … and " + std::to_string(all.size() - most_shown) + " more\n";
    text.append(show(d.where, file, sources)).append(": ").append(d.rule).append(": ").append(d.message).append("\n");
  }
  return text;
}

void tidy(diagnostics& all) {
  const auto key = [](const diagnostic& d) {
    return std::tuple{d.where.source + 0U, d.where.line, d.where.column + 0U, d.rule};
  };
  std::ranges::sort(all, {}, [&](const diagnostic& d) { return std::tuple{key(d), std::string_view{d.message}}; });
  const auto twice = std::ranges::unique(all, {}, key);
  all.erase(twice.begin(), twice.end());
}

}  // namespace tine::spork
