// The problem longest-repeated-substring: find the longest substring of a text that occurs in it twice.
#pragma once

#include "programs/suffix-array/doubling.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bench::longest_repeated_substring {

constexpr std::size_t usual_n = std::size_t{1} << 20;
constexpr std::size_t large_n = std::size_t{1} << 23;
constexpr std::size_t largest_n = std::size_t{1} << 30;

/// The passages of `length` characters at these two places are equal.
struct repeat {
  std::uint32_t length = 0;
  std::uint32_t at = 0;
  std::uint32_t as_at = 0;
};

/// A text, and a longest repeat in it.
class problem {
 public:
  /// Writes the text if `n` has changed since the last call, and forgets the answer.
  void reset();
  /// Returns the length of the repeat: the answer that is reported.
  std::size_t answer() const { return longest.length; }
  /// Returns a description of the mistake in `longest`; empty if it is right.
  std::string mistake() const;

  std::size_t n = usual_n;
  std::string text;
  repeat longest;

  // Further arrays of the variants, allocated here so that the variants need not allocate them.
  suffix_array::workspace space{0};
  std::vector<std::uint32_t> before;  ///< for each suffix, by its start, the one before it in the suffix array

 private:
  std::size_t planted_ = 0;  ///< the length of the repeat that the generator wrote
};

}  // namespace bench::longest_repeated_substring

namespace bench {
using longest_repeated_substring::problem;
}
