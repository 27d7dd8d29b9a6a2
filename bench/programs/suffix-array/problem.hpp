// The problem suffix-array: sort the suffixes of a text.
#pragma once

#include "programs/suffix-array/doubling.hpp"

#include <string>

namespace bench::suffix_array {

constexpr std::size_t usual_n = std::size_t{1} << 20;
constexpr std::size_t large_n = std::size_t{1} << 23;
constexpr std::size_t largest_n = std::size_t{1} << 31;

/// A text and the order of its suffixes.
class problem {
 public:
  /// Writes the text if `n` has changed since the last call, and forgets the answer.
  void reset();
  /// Returns a description of the mistake in the suffix array; empty if it is right.
  std::string mistake() const;
  /// Returns a hash of the array: the answer that is reported.
  std::uint64_t answer() const;

  std::size_t n = usual_n;
  std::string text;
  workspace space{0};
};

/// Sorts the suffixes of the problem's text into its workspace.
template <class Algorithms, class Inner>
void sort_suffixes(problem& p, const Algorithms& algorithms, const Inner& inner, std::ptrdiff_t sort_grain = 0) {
  doubling{algorithms, inner, sort_grain, p.text, p.space}.run();
}

}  // namespace bench::suffix_array

namespace bench {
using suffix_array::problem;
}
