// Finds lines in a section of the text: the kernel of all variants.
#pragma once

#include "programs/grep/problem.hpp"

#include <string.h>

namespace bench::grep {

/// Calls `visit(place)` for all lines with the pattern that begin in [begin, end) of the text. `begin` is the beginning of a
/// line. Searches for the pattern without regard to lines, and looks for the beginning of the line only where it finds one.
template <class Visit>
void search(const std::string& text, place begin, place end, Visit visit) {
  const char* from = text.data() + begin;
  const char* const to = text.data() + end;
  while (const void* hit = memmem(from, static_cast<std::size_t>(to - from), pattern.data(), pattern.size())) {
    const char* at = static_cast<const char*>(hit);
    const void* newline = memrchr(from, '\n', static_cast<std::size_t>(at - from));
    const char* line = newline == nullptr ? from : static_cast<const char*>(newline) + 1;
    visit(static_cast<place>(line - text.data()));
    from = static_cast<const char*>(memchr(at, '\n', static_cast<std::size_t>(to - at))) + 1;
  }
}

/// Returns the beginning of the first line that begins at `at` or later.
inline place line_from(const std::string& text, place at) {
  if (at == 0) return 0;
  const std::size_t newline = text.find('\n', at - 1);
  return newline == std::string::npos ? text.size() : newline + 1;
}

}  // namespace bench::grep
