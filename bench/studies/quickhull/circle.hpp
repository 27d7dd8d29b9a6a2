// Points on the upper half of a circle, in random order. All of them are on their hull, so the right answer is known.
#pragma once

#include "studies/quickhull/hull.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace bench::quickhull {

class circle {
 public:
  static constexpr point right{1, 0}, left{-1, 0};

  /// Makes `n` points at even distances.
  explicit circle(std::size_t n);

  std::span<const point> points() const noexcept { return points_; }
  /// Returns true if `hull` has all indices in the order of their angles, from `right` to `left`.
  bool is_hull(const sequence& hull) const;

 private:
  std::vector<index> by_angle_;
  std::vector<point> points_;
};

}  // namespace bench::quickhull
