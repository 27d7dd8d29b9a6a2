// The problem range-query: count the points in each of many rectangles.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bench {

// A wavelet matrix (Claude, Navarro and Ordóñez, Information Systems 47, 2015): counts the numbers of an array that are
// in a range of places and below a bound, in one step for each bit.

/// The numbers of a block that have a bit, and how many before the block have it.
struct block {
  std::uint64_t ones;
  std::uint32_t before;
};

constexpr std::size_t block_places = 64;

/// One bit of all numbers, which are in the order that the levels above make: each level moves the numbers without its
/// bit to the front and keeps the order of both kinds.
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

constexpr std::size_t usual_n = 400'000;
constexpr std::size_t large_n = 2'000'000;
constexpr std::size_t largest_n = 100'000'000;

/// Coordinates are whole numbers from 0 to below this.
constexpr std::uint32_t coordinates = std::uint32_t{1} << 28;

struct point {
  std::uint32_t x;
  std::uint32_t y;
};

/// The points from `low` to `high`; both sides belong to the rectangle.
struct rectangle {
  point low;
  point high;
};

/// Points, rectangles, and the number of points in each rectangle.
class problem {
 public:
  /// Makes the input and the expected counts if `n` has changed since the last call, and forgets the counts.
  void reset();
  /// Returns the sum of all counts: the answer that is reported.
  std::uint64_t answer() const;
  /// Returns a description of the mistake in `counts`; empty if they are right.
  std::string mistake() const;

  std::size_t n = usual_n;  ///< the number of points, and of rectangles
  std::vector<point> points;
  std::vector<rectangle> rectangles;
  std::vector<std::uint32_t> counts;

 private:
  std::vector<std::uint32_t> expected_;
};

// The index that a query reads: sorted coordinates, and a wavelet matrix of the points' ranks.

/// A coordinate, and the place of its point.
struct placed {
  std::uint32_t coordinate;
  std::uint32_t place;
};

struct index {
  explicit index(std::size_t n) : x(n), y(n), levels(make_levels(n)) {}

  std::vector<std::uint32_t> x;  ///< sorted
  std::vector<std::uint32_t> y;  ///< sorted
  std::vector<level> levels;     ///< of the ranks of the ordinates, in the order of the abscissae

  std::uint32_t count(const rectangle& r) const {
    const std::uint32_t first = below(x, r.low.x), last = up_to(x, r.high.x);
    return count_below(levels, first, last, up_to(y, r.high.y)) - count_below(levels, first, last, below(y, r.low.y));
  }

 private:
  static std::uint32_t below(const std::vector<std::uint32_t>& sorted, std::uint32_t bound) {
    return static_cast<std::uint32_t>(std::lower_bound(sorted.begin(), sorted.end(), bound) - sorted.begin());
  }
  static std::uint32_t up_to(const std::vector<std::uint32_t>& sorted, std::uint32_t bound) {
    return static_cast<std::uint32_t>(std::upper_bound(sorted.begin(), sorted.end(), bound) - sorted.begin());
  }
};

// Range counting by an index: two sorts, and a wavelet matrix whose levels are prefix sums and permutations (Labeit,
// Shun and Blelloch, Journal of Discrete Algorithms 43, 2017).

/// Finds the levels one after the other. Reorders `numbers`.
template <class Algorithms>
void find_levels(const Algorithms& algorithms, std::vector<level>& levels, std::vector<std::uint32_t>& numbers) {
  const std::size_t blocks = levels.front().blocks.size();
  std::vector<std::uint32_t> next(numbers.size()), sums(blocks);
  for (level& l : levels) {
    algorithms.for_each(std::size_t{0}, blocks, [&](std::size_t b) { l.blocks[b].before = l.find_ones(b, numbers); });
    algorithms.sums(blocks, sums.data(), [&l](std::size_t b) { return l.blocks[b].before; });
    l.zeros = static_cast<std::uint32_t>(numbers.size()) - sums.back();
    algorithms.for_each(std::size_t{0}, blocks, [&](std::size_t b) {
      l.blocks[b].before = b == 0 ? 0 : sums[b - 1];
      l.move(b, numbers, next);
    });
    numbers.swap(next);
  }
}

template <class Algorithms>
void solve(problem& p, const Algorithms& algorithms) {
  const std::size_t n = p.n;
  index all{n};
  std::vector<point> points(n);
  algorithms.for_each(std::size_t{0}, n, [&](std::size_t i) { points[i] = p.points[i]; });
  algorithms.integer_sort(points.data(), points.data() + n, [](const point& q) { return q.x; });
  std::vector<placed> by_y(n);
  algorithms.for_each(std::size_t{0}, n, [&](std::size_t i) {
    all.x[i] = points[i].x;
    by_y[i] = {points[i].y, static_cast<std::uint32_t>(i)};
  });
  algorithms.integer_sort(by_y.data(), by_y.data() + n, [](const placed& c) { return c.coordinate; });
  std::vector<std::uint32_t> ranks(n);
  algorithms.for_each(std::size_t{0}, n, [&](std::size_t rank) {
    all.y[rank] = by_y[rank].coordinate;
    ranks[by_y[rank].place] = static_cast<std::uint32_t>(rank);
  });
  find_levels(algorithms, all.levels, ranks);
  algorithms.for_each(std::size_t{0}, n, [&](std::size_t i) { p.counts[i] = all.count(p.rectangles[i]); });
}

}  // namespace bench
