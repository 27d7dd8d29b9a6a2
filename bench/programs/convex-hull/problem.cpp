// See problem.hpp.
#include "problem.hpp"

#include "harness/splitmix.hpp"
#include "harness/value.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace bench::convex_hull {
namespace {

constexpr std::int64_t radius = coordinates / 2 - 1;

/// Returns a random point on the circle, except for rounding.
point on_circle(splitmix& random) {
  const double angle = random.unit() * 2 * std::numbers::pi, r = static_cast<double>(radius);
  const auto rounded = [r](double of_unit) { return static_cast<std::int32_t>(std::lround(of_unit * r) + radius); };
  return {rounded(std::cos(angle)), rounded(std::sin(angle))};
}

/// Returns a random point of the square, or of the disc in it.
point inside(splitmix& random, bool in_disc) {
  for (;;) {
    const point p{static_cast<std::int32_t>(random.below(coordinates)),
                  static_cast<std::int32_t>(random.below(coordinates))};
    const std::int64_t x = p.x - radius, y = p.y - radius;
    if (!in_disc || x * x + y * y <= radius * radius) return p;
  }
}

std::vector<point> make_points(std::size_t n, shape of) {
  splitmix random{1};
  std::vector<point> points(n);
  for (point& p : points) p = of == shape::circle ? on_circle(random) : inside(random, of == shape::disc);
  return points;
}

/// A polygon's lower side, and its upper side from right to left. Each begins and ends with an end of the polygon.
struct sides {
  std::vector<point> lower;
  std::vector<point> upper;
};

/// Returns the sides of a polygon that begins with its leftmost vertex; nothing is assumed of the order of the others.
sides sides_of(const std::vector<point>& polygon) {
  const auto right = std::ranges::max_element(polygon);
  sides s{{polygon.begin(), right + 1}, {right, polygon.end()}};
  if (polygon.size() > 1) s.upper.push_back(polygon.front());
  return s;
}

/// Returns true if the side's vertices are in their order, and each of them is a turn to the left.
template <class Less>
bool is_convex(const std::vector<point>& side, Less less) {
  for (std::size_t i = 1; i < side.size(); ++i)
    if (!less(side[i - 1], side[i])) return false;
  for (std::size_t i = 2; i < side.size(); ++i)
    if (turn(side[i - 2], side[i - 1], side[i]) <= 0) return false;
  return true;
}

/// Returns true if p is between the ends of the side and not on its right.
template <class Less>
bool is_within(const point& p, const std::vector<point>& side, Less less) {
  const auto after = std::upper_bound(side.begin(), side.end(), p, less);
  if (after == side.begin()) return false;
  if (after == side.end()) return p == side.back();
  return turn(*(after - 1), *after, p) >= 0;
}

}  // namespace

void problem::reset() {
  if (points.size() != n || made_ != of) {
    points = make_points(n, of);
    made_ = of;
    for (auto& buffer : buffers) buffer = std::make_unique_for_overwrite<point[]>(n);
  }
  hull.clear();
}

/// A polygon is the hull if its sides are convex, no point is outside of it, and its vertices are points.
std::string problem::mistake() const {
  if (hull.empty()) return "the hull is empty";
  const sides s = sides_of(hull);
  if (!is_convex(s.lower, std::less<>{}) || !is_convex(s.upper, std::greater<>{})) return "the hull is not convex";
  if (hull.size() == 1 && !std::ranges::all_of(points, [this](const point& p) { return p == hull[0]; }))
    return "the hull is one point, but the points are not equal";
  std::vector<point> vertices = hull;
  std::ranges::sort(vertices);
  std::vector<bool> is_met(vertices.size());
  for (const point& p : points) {
    if (hull.size() > 1 && !(is_within(p, s.lower, std::less<>{}) && is_within(p, s.upper, std::greater<>{})))
      return format("the point ({}, {}) is outside of the hull", p.x, p.y);
    const auto vertex = std::ranges::lower_bound(vertices, p);
    if (vertex != vertices.end() && *vertex == p) is_met[static_cast<std::size_t>(vertex - vertices.begin())] = true;
  }
  if (std::ranges::find(is_met, false) != is_met.end()) return "a vertex of the hull is no point";
  return "";
}

}  // namespace bench::convex_hull
