// The problem grep: find the lines of a text that contain a pattern.
#pragma once

#include <string.h>
#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

constexpr std::size_t default_n = 500'000'000;
constexpr std::size_t large_n = 1'200'000'000;
constexpr std::size_t largest_n = 2'000'000'000;

constexpr std::string_view pattern = "parallelism";

/// The offset in the text at which a line begins.
using place = std::size_t;

/// The parallel variants search page by page.
constexpr std::size_t page = 32768;
/// Upper bound for the number of lines with the pattern that begin in a page.
constexpr std::size_t most_in_page = page / (pattern.size() + 1) + 1;

struct problem {
  std::size_t n = default_n;       ///< bytes of text; the last line may exceed it
  std::string text;                ///< ends with a newline
  std::vector<place> found;        ///< the lines with the pattern, in their order
  std::unique_ptr<place[]> rooms;  ///< for the lines of each page, `most_in_page` of them

  std::size_t pages() const { return (text.size() + page - 1) / page; }

  /// Makes the text if `n` has changed since the last call, and forgets what was found.
  void reset();

  /// Returns true if the lines found are exactly the lines into which `reset` has put the pattern.
  std::size_t answer() const { return found.size(); }
  const char* mistake() const { return found == planted_ ? "" : "these are not the lines with the pattern"; }

 private:
  std::vector<place> planted_;
};

// Finds lines in a section of the text: the kernel of all variants.

/// Calls `visit(place)` for all lines with the pattern that begin in [begin, end) of the text. `begin` is the beginning
/// of a line. Searches for the pattern without regard to lines, and looks for the beginning of the line only where it
/// finds one.
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

// Parallel search: a filter over pages of the text.

/// Each page's search writes the lines that it finds into a room of its own. Prefix sums of their numbers then give the
/// number of lines before each page, and a second loop copies the lines of each page to their place.
template <class Algorithms>
void solve(problem& p, const Algorithms& algorithms) {
  const std::string& text = p.text;
  const std::size_t pages = p.pages();
  const auto room_of = [at = p.rooms.get()](std::size_t k) { return at + k * most_in_page; };
  std::vector<std::size_t> before(pages + 1);

  algorithms.for_each(std::size_t{0}, pages, [&text, room_of, counts = before.data() + 1](std::size_t k) {
    place* end = room_of(k);
    search(text, line_from(text, k * page), line_from(text, std::min(text.size(), (k + 1) * page)),
           [&end](place line) { *end++ = line; });
    counts[k] = static_cast<std::size_t>(end - room_of(k));
  });
  algorithms.sums(pages, before.data() + 1, [counts = before.data() + 1](std::size_t k) { return counts[k]; });
  p.found.resize(before[pages]);
  algorithms.for_each(std::size_t{0}, pages, [to = p.found.data(), room_of, before = before.data()](std::size_t k) {
    std::copy_n(room_of(k), before[k + 1] - before[k], to + before[k]);
  });
}

}  // namespace bench
