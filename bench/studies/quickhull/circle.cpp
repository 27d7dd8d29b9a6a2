// See circle.hpp.
#include "studies/quickhull/circle.hpp"

#include "harness/splitmix.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace bench::quickhull {

circle::circle(std::size_t n) : by_angle_(n), points_(n) {
  std::iota(by_angle_.begin(), by_angle_.end(), index{0});
  splitmix random{1};
  for (std::size_t i = n; i > 1; --i) std::swap(by_angle_[i - 1], by_angle_[random.below(i)]);
  for (std::size_t i = 0; i < n; ++i) {
    const double angle = (static_cast<double>(i) + 0.5) / static_cast<double>(n) * std::numbers::pi;
    points_[by_angle_[i]] = {std::cos(angle), std::sin(angle)};
  }
}

bool circle::is_hull(const sequence& hull) const { return std::ranges::equal(hull, by_angle_); }

}  // namespace bench::quickhull
