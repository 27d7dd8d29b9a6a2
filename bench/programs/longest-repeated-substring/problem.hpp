// The problem longest-repeated-substring: find the longest substring of a text that occurs in it twice.
#pragma once

#include "programs/suffix-array/doubling.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bench {

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

// The longest repeated substring by the suffix array: the longest common prefix of two adjacent suffixes.

/// The suffix that begins one character later shares all but one of the characters that a suffix shares with its
/// neighbour. In a block of the text this saves most comparisons; a block begins with none (Shun, SC 2014).
constexpr std::size_t block = 4096;

/// Returns the longest of the common prefixes of the suffixes in a block, each with its neighbour in the suffix array.
inline repeat longest_in_block(const problem& p, std::size_t begin, std::size_t end) {
  const auto n = static_cast<std::uint32_t>(p.text.size());
  repeat longest;
  std::uint32_t length = 0;
  for (auto i = static_cast<std::uint32_t>(begin); i < end; ++i) {
    const std::uint32_t j = p.before[i];
    if (j == n) {  // the first suffix of all
      length = 0;
      continue;
    }
    while (std::max(i, j) + length < n && p.text[i + length] == p.text[j + length]) ++length;
    if (length > longest.length) longest = {length, i, j};
    if (length > 0) --length;
  }
  return longest;
}

/// Chooses the longer repeat, and the first one of two that have the same length.
struct longer {
  repeat operator()(const repeat& a, const repeat& b) const {
    if (a.length != b.length) return a.length > b.length ? a : b;
    return a.at < b.at ? a : b;
  }
};

/// `inner` are the loops over the suffixes of one group, see programs/suffix-array/doubling.hpp.
template <class Algorithms, class Inner>
void solve(problem& p, const Algorithms& algorithms, const Inner& inner) {
  suffix_array::doubling{algorithms, inner, 0, p.text, p.space}.run();
  const std::size_t n = p.text.size();
  algorithms.for_each(std::size_t{0}, n, [n, order = p.space.answer.data(), before = p.before.data()](std::size_t i) {
    before[order[i]] = i > 0 ? order[i - 1] : static_cast<std::uint32_t>(n);
  });
  const auto in_block = [&p, n](std::size_t b) { return longest_in_block(p, b * block, std::min(n, (b + 1) * block)); };
  p.longest = algorithms.reduce(std::size_t{0}, (n + block - 1) / block, repeat{}, in_block, longer{});
}

template <class Algorithms>
void solve(problem& p, const Algorithms& algorithms) {
  solve(p, algorithms, algorithms);
}

}  // namespace bench
