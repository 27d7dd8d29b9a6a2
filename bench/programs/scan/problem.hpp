// All prefix sums of a large array, in two passes over its blocks.
#pragma once

#include "harness/blocks/partition.hpp"
#include "harness/splitmix.hpp"
#include "harness/untouched.hpp"

#include <cstdint>
#include <string>

namespace bench::scan {

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
  /// Returns a description of the mistake in the sums; empty if they are right: each must exceed the previous sum by its element.
  std::string mistake() const;

  std::size_t n = default_n;
  std::size_t block = default_block;
  partition elements;
  untouched<std::uint64_t> input;
  untouched<std::uint64_t> sums;
  untouched<std::uint64_t> before;  // for block i first its total, then the sum of all blocks before it
};

}  // namespace bench::scan

namespace bench {
using scan::problem;
}
