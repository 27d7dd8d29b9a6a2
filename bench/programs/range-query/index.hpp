// The index that a query reads: sorted coordinates, and a wavelet matrix of the points' ranks.
#pragma once

#include "level.hpp"
#include "problem.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench::range_query {

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

}  // namespace bench::range_query
