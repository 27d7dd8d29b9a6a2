// convex-hull: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/algorithms/managed.hpp"
#include "harness/algorithms/program_of_algorithms.hpp"
#include "harness/splitmix.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>

namespace bench {
namespace {

/// Adds the vertices between the neighbours a and b on the hull of the points [first, last), all of which are on the
/// right of a → b.
void add_between(const point& a, const point& b, point* first, point* last, std::vector<point>& hull) {
  if (first == last) return;
  point far = *first;
  std::int64_t most = turn(a, far, b);
  for (const point* p = first + 1; p != last; ++p) {
    const std::int64_t area = turn(a, *p, b);
    if (area > most || (area == most && *p > far)) {
      most = area;
      far = *p;
    }
  }
  // The points beyond a → far are copied to the front, and those beyond far → b are swapped to the back. Others are
  // dropped.
  point *front = first, *back = last;
  for (point* p = first; p != back;) {
    if (turn(a, *p, far) > 0) {
      *front++ = *p++;
    } else if (turn(far, *p, b) > 0) {
      std::swap(*p, *--back);
    } else {
      ++p;
    }
  }
  add_between(a, far, first, front, hull);
  hull.push_back(far);
  add_between(far, b, back, last, hull);
}

}  // namespace

/// Without forks: quickhull in place.
void serial(problem& p) {
  const auto [min, max] = std::minmax_element(p.points.begin(), p.points.end());
  const point left = *min, right = *max;
  point *const first = p.buffers[0].get(), *const last = first + p.points.size();
  point *lower = first, *upper = last;
  // Every point is written to both places, and kept where its side is: a branch would be mispredicted for half of the
  // points.
  for (const point& q : p.points) {
    const std::int64_t area = turn(left, q, right);
    *lower = q;
    lower += area > 0;
    *(upper - 1) = q;
    upper -= area < 0;
  }
  p.hull.push_back(left);
  add_between(left, right, first, lower, p.hull);
  if (left == right) return;
  p.hull.push_back(right);
  add_between(right, left, upper, last, p.hull);
}

void managed(problem& p) { solve(p, managed_algorithms{}); }

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

program describe_program() {
  static problem p;
  static std::string word = "disc";
  const auto choose = [](const std::string& chosen) {
    static const std::map<std::string, shape> shapes{
        {"disc", shape::disc}, {"square", shape::square}, {"circle", shape::circle}};
    word = chosen;
    p.of = shapes.at(chosen);
  };
  const auto add_options = [choose](options& o) {
    o.size("--n", p.n, {1, largest_n}, large_n, "Points");
    o.word("--points", word, {"disc", "square", "circle"}, choose, "Distribution of the points");
  };
  program it{
      .name = "convex-hull",
      .description = "Finds the convex hull of random points of the plane.",
      .add_options = add_options,
      .params = [] { return parameters{{"n", p.n}, {"points", word}}; },
      .passes = 4,
  };
  return program_of_algorithms(p, std::move(it));
}

}  // namespace bench
