// The problem grep: find the lines of a text that contain a pattern.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bench::grep {

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
  bool found_is_right() const { return found == planted_; }

 private:
  std::vector<place> planted_;
};

void serial(problem& p);
void managed(problem& p);
void tuned(problem& p);
void dac(problem& p);
[[gnu::weak]] void tbb(problem& p);
[[gnu::weak]] void openmp(problem& p);

}  // namespace bench::grep
