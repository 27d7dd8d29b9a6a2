// The suppressions of races: a list of patterns, which a user writes into a file.
#pragma once

#include "report/place.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tine::report {

/// A line of a list of suppressions. The pattern has * for any text, ? for any character and […] for one of several; it
/// matches a whole name. A backslash takes the meaning from the next character.
struct suppression {
  /// The subject of the pattern: the name of a function, with its arguments or without; a file, with its folder or
  /// without; a variable.
  enum class subject : std::uint8_t { function, file, variable };

  subject of = subject::function;
  std::string pattern;
  std::string where;       ///< the list and the line in it, as in "races.txt:3"
  std::uint64_t used = 0;  ///< number of rows of profiles that it suppressed

  bool matches(const frame& f) const;
  bool matches(const std::string& variable) const;
};

/// Returns the suppressions in `text`, the contents of the file `name`: lines `function:PATTERN`, `file:PATTERN` and
/// `variable:PATTERN`; a line that begins with # is a comment. Throws std::invalid_argument that names the line.
std::vector<suppression> parse_suppressions(std::string_view text, const std::string& name);

}  // namespace tine::report
