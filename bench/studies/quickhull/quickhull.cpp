// The hull, and the circle.
#include "studies/quickhull/quickhull.hpp"

#include "harness/splitmix.hpp"

#include <tine/managed/par.hpp>
#include <tine/managed/par_reduce.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace bench::quickhull {

namespace {

class recursion {
 public:
  recursion(std::span<const point> points, incoming what) : points_{points}, incoming_{what} {}

  /// Returns the hull of the points `idxs`, all of which lie above the line from `a` to `b`.
  sequence hull(sequence idxs, point a, point b) const {
    if (idxs.size() <= 1) return idxs;
    const index mid = farthest(idxs, a, b);
    const point m = points_[mid];
    sequence left = above(idxs, a, m), right = above(idxs, m, b);
    if (incoming_ == incoming::cleared) clear(idxs);
    const auto [left_hull, right_hull] =
        tine::par([&] { return hull(std::move(left), a, m); }, [&] { return hull(std::move(right), m, b); });
    const std::vector<sequence> nested = {left_hull, {mid}, right_hull};
    return flatten(nested);
  }

 private:
  struct candidate {
    double height;
    index which;
  };

  /// Returns a number proportional to the distance of `p` from the line from `a` to `b`; exactly 0 at its ends.
  static double height(point p, point a, point b) { return (p.x - a.x) * (b.y - a.y) - (p.y - a.y) * (b.x - a.x); }

  index farthest(const sequence& idxs, point a, point b) const {
    const auto measured = [this, a, b](index i) { return candidate{height(points_[i], a, b), i}; };
    const auto farther = [](candidate p, candidate q) { return q.height > p.height ? q : p; };
    return tine::par_reduce(idxs, candidate{0, idxs[0]}, measured, farther).which;
  }

  sequence above(const sequence& idxs, point a, point b) const {
    return filter(idxs, [this, a, b](index i) { return height(points_[i], a, b) > 0; });
  }

  std::span<const point> points_;
  incoming incoming_;
};

}  // namespace

sequence upper_hull(std::span<const point> points, point a, point b, incoming what) {
  sequence all(points.size(), purpose::filtered);
  std::iota(all.begin(), all.end(), index{0});
  return recursion{points, what}.hull(std::move(all), a, b);
}

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
