// The problem range-query: count the points in each of many rectangles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bench::range_query {

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

}  // namespace bench::range_query

namespace bench {
using range_query::problem;
}
