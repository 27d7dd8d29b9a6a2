// All prefix sums of a large array, in two passes over its blocks.
#pragma once

#include "harness/blocks/partition.hpp"
#include "harness/splitmix.hpp"
#include "harness/untouched.hpp"

#include <cstdint>
#include <string>

namespace bench {

constexpr std::size_t default_n = std::size_t{1} << 25;
constexpr std::size_t large_n = std::size_t{3} << 24;
constexpr std::size_t largest_n = std::size_t{1} << 29;
constexpr std::size_t default_block = std::size_t{1} << 16;
constexpr std::size_t smallest_block = std::size_t{1} << 12;

/// Integers, so that all sums are exact modulo 2^64.
class problem : public problem_of_phases {
 public:
  static constexpr bool forks_in_halves = false;

  void reset() { elements = {n, block}; }
  void allocate();
  void use_smallest_blocks() { elements.grain = smallest_block; }

  static std::uint64_t element(std::size_t i) { return splitmix{i}(); }

  std::uint64_t answer() const { return sums[n - 1]; }
  /// Returns a description of the mistake in the sums; empty if they are right: each must exceed the previous sum by
  /// its element.
  std::string mistake() const;

  std::size_t n = default_n;
  std::size_t block = default_block;
  partition elements;
  untouched<std::uint64_t> input;
  untouched<std::uint64_t> sums;
  untouched<std::uint64_t> before;  // for block i first its total, then the sum of all blocks before it
};

// scan in two phases over blocks of elements, with a short serial loop over the blocks' totals between them. The
// functions of a phase are out of line, so that all variants run the same machine code.

[[gnu::noinline]] inline void start(problem& p, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i) {
    p.input[i] = problem::element(i);
    p.sums[i] = 0;
  }
}

[[gnu::noinline]] inline std::uint64_t total(const std::uint64_t* first, const std::uint64_t* last) {
  std::uint64_t sum = 0;
  for (; first != last; ++first) sum += *first;
  return sum;
}

[[gnu::noinline]] inline void sum_up(const std::uint64_t* first, const std::uint64_t* last, std::uint64_t sum,
                                     std::uint64_t* to) {
  for (; first != last; ++first) *to++ = sum += *first;
}

template <class Over>
void initialise(problem& p, const Over& over) {
  over(p.elements.blocks(), [&p](int b, int e) { start(p, p.elements.begin(b), p.elements.begin(e)); });
}

template <class Over>
void find_totals(problem& p, const Over& over) {
  over(p.elements.blocks(), [&p](int b, int e) {
    for (; b < e; ++b)
      p.before[static_cast<std::size_t>(b)] =
          total(p.input.data() + p.elements.begin(b), p.input.data() + p.elements.begin(b + 1));
  });
}

template <class Over>
void sum_up_blocks(problem& p, const Over& over) {
  over(p.elements.blocks(), [&p](int b, int e) {
    for (; b < e; ++b) {
      const std::size_t first = p.elements.begin(b);
      sum_up(p.input.data() + first, p.input.data() + p.elements.begin(b + 1), p.before[static_cast<std::size_t>(b)],
             p.sums.data() + first);
    }
  });
}

template <class Over>
void rehearse(problem& p, const Over& over) {
  sum_up_blocks(p, over);
}

template <class Over>
void solve(problem& p, const Over& over) {
  find_totals(p, over);
  std::uint64_t sum = 0;
  for (int b = 0; b < p.elements.blocks(); ++b) {
    std::uint64_t& here = p.before[static_cast<std::size_t>(b)];
    const std::uint64_t own = here;
    here = sum;
    sum += own;
  }
  sum_up_blocks(p, over);
}

}  // namespace bench
