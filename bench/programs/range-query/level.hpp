// A wavelet matrix (Claude, Navarro and Ordóñez, Information Systems 47, 2015): counts the numbers of an array that are in a range of places and
// below a bound, in one step for each bit.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench::range_query {

/// The numbers of a block that have a bit, and how many before the block have it.
struct block {
  std::uint64_t ones;
  std::uint32_t before;
};

constexpr std::size_t block_places = 64;

/// One bit of all numbers, which are in the order that the levels above make: each level moves the numbers without its bit to the front and
/// keeps the order of both kinds.
struct level {
  std::vector<block> blocks;
  std::uint32_t zeros;
  unsigned bit;

  /// Returns how many of the first i numbers have the bit.
  std::uint32_t ones_before(std::uint32_t i) const {
    const block& b = blocks[i / block_places];
    return b.before + static_cast<std::uint32_t>(std::popcount(b.ones & ((std::uint64_t{1} << i % block_places) - 1)));
  }

  /// Finds the bits of the numbers of block b. Returns how many numbers have it.
  std::uint32_t find_ones(std::size_t b, const std::vector<std::uint32_t>& numbers) {
    const std::size_t begin = b * block_places, end = std::min(numbers.size(), begin + block_places);
    std::uint64_t ones = 0;
    for (std::size_t i = begin; i < end; ++i) ones |= std::uint64_t{numbers[i] >> bit & 1} << (i - begin);
    blocks[b].ones = ones;
    return static_cast<std::uint32_t>(std::popcount(ones));
  }

  /// Copies the numbers of block b to their places on the next level. `before`, of the block, and `zeros` are set.
  void move(std::size_t b, const std::vector<std::uint32_t>& numbers, std::vector<std::uint32_t>& next) const {
    const std::size_t begin = b * block_places, end = std::min(numbers.size(), begin + block_places);
    std::size_t to[2] = {begin - blocks[b].before, zeros + std::size_t{blocks[b].before}};
    for (std::size_t i = begin; i < end; ++i) next[to[blocks[b].ones >> (i - begin) & 1]++] = numbers[i];
  }
};

/// Returns levels for `n` numbers up to n, whose blocks are to be found.
inline std::vector<level> make_levels(std::size_t n) {
  std::vector<level> levels(static_cast<std::size_t>(std::bit_width(n)));
  for (std::size_t i = 0; i < levels.size(); ++i)
    levels[i] = {std::vector<block>(n / block_places + 1), 0, static_cast<unsigned>(levels.size() - 1 - i)};
  return levels;
}

/// Returns how many numbers at the places [first, last) are below `bound`, which is at most the number of all.
inline std::uint32_t count_below(const std::vector<level>& levels, std::uint32_t first, std::uint32_t last,
                                 std::uint32_t bound) {
  std::uint32_t count = 0;
  for (const level& l : levels) {
    const std::uint32_t first_ones = l.ones_before(first), last_ones = l.ones_before(last);
    if ((bound >> l.bit & 1) != 0) {
      count += (last - last_ones) - (first - first_ones);
      first = l.zeros + first_ones;
      last = l.zeros + last_ones;
    } else {
      first -= first_ones;
      last -= last_ones;
    }
  }
  return count;
}

}  // namespace bench::range_query
