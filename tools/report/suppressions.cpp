// Reads the suppressions of races, and matches them.
#include "report/suppressions.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace tine::report {
namespace {

// The words in front of the patterns, in the order of `subject`.
constexpr std::array<std::string_view, 3> words{"function", "file", "variable"};

bool matches_name(const std::string& pattern, const std::string& name) {
  return !name.empty() && fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

std::string_view without_blanks(std::string_view line) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t begin = line.find_first_not_of(blanks);
  return begin == std::string_view::npos ? "" : line.substr(begin, line.find_last_not_of(blanks) + 1 - begin);
}

suppression parse_line(std::string_view line, std::string where) {
  const std::size_t colon = line.find(':');
  const auto word = std::ranges::find(words, without_blanks(line.substr(0, colon)));
  if (colon == std::string_view::npos || word == words.end()) {
    throw std::invalid_argument{where + ": '" + std::string{line} +
                                "' is not a suppression; write function:PATTERN, file:PATTERN or variable:PATTERN"};
  }
  const std::string_view pattern = without_blanks(line.substr(colon + 1));
  if (pattern.empty())
    throw std::invalid_argument{where + ": there is no pattern behind '" + std::string{*word} + ":'; * matches all"};
  return {static_cast<suppression::subject>(word - words.begin()), std::string{pattern}, std::move(where)};
}

}  // namespace

bool suppression::matches(const frame& f) const {
  if (of == subject::function)
    return matches_name(pattern, f.function) || matches_name(pattern, without_arguments(f.function));
  if (of == subject::file)
    return matches_name(pattern, f.file) || matches_name(pattern, f.file.substr(f.file.rfind('/') + 1));
  return false;
}

bool suppression::matches(const std::string& variable) const {
  return of == subject::variable && matches_name(pattern, variable);
}

std::vector<suppression> parse_suppressions(std::string_view text, const std::string& name) {
  std::vector<suppression> all;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = without_blanks(text.substr(0, end));
    if (!line.empty() && line.front() != '#') all.push_back(parse_line(line, name + ":" + std::to_string(number)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return all;
}

}  // namespace tine::report
