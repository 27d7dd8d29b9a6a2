// The problem convex-hull: find the smallest convex polygon around points of the plane.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace bench {

// Points of the plane whose coordinates are whole numbers, and the exact tests on them that a hull needs.

/// Coordinates are whole numbers from 0 to below this. Differences have 31 bits with the sign, so that the difference
/// of two products of them has 62 bits: all tests are exact in 64 bits.
constexpr std::int32_t coordinates = 1 << 30;

/// Points are in the order of their abscissae, and of their ordinates if these are equal.
struct point {
  std::int32_t x;
  std::int32_t y;
  friend auto operator<=>(const point&, const point&) = default;
};

/// Returns twice the area of the triangle a, b, c, which is positive if the points are in counter-clockwise order.
[[gnu::always_inline]] inline std::int64_t turn(const point& a, const point& b, const point& c) {
  const std::int64_t abx = b.x - a.x, aby = b.y - a.y, acx = c.x - a.x, acy = c.y - a.y;
  return abx * acy - aby * acx;
}

constexpr std::size_t usual_n = 4'000'000;
constexpr std::size_t large_n = 32'000'000;
constexpr std::size_t largest_n = 100'000'000;

enum class shape { disc, square, circle };

/// Points, and the vertices of their hull.
class problem {
 public:
  /// Makes the points and the buffers if `n` or `of` has changed since the last call, and forgets the hull.
  void reset();
  /// Returns the number of vertices: the answer that is reported.
  std::size_t answer() const { return hull.size(); }
  /// Returns a description of the mistake in `hull`; empty if it is right.
  std::string mistake() const;

  std::size_t n = usual_n;
  shape of = shape::disc;
  std::vector<point> points;
  std::vector<point> hull;  ///< counter-clockwise from the first point; no three vertices are on one line

  std::unique_ptr<point[]> buffers[2];  ///< `n` places each, for the solution's use

 private:
  shape made_ = shape::disc;
};

// The convex hull by quickhull (Barber, Dobkin and Huhdanpaa, ACM Transactions on Mathematical Software 22(4), 1996),
// whose parts are independent: a reduction finds the point that is farthest from an edge, and filters find the points
// outside of the two edges to it.

/// The first and the last of some points.
struct ends {
  point first;
  point last;
};
struct join_ends {
  ends operator()(const ends& a, const ends& b) const {
    return {b.first < a.first ? b.first : a.first, a.last < b.last ? b.last : a.last};
  }
};

/// A point, and twice the area of its triangle with an edge. The later one of two points at the same distance counts as
/// the farther, so that the farthest point is a vertex, and is the same in all schedules.
struct distant {
  std::int64_t area;
  point at;
};
struct farther {
  distant operator()(const distant& a, const distant& b) const {
    return b.area > a.area || (b.area == a.area && b.at > a.at) ? b : a;
  }
};

template <class Algorithms>
class quickhull {
 public:
  explicit quickhull(const Algorithms& algorithms) : algorithms_{algorithms} {}

  void find(problem& p) const {
    const point* const points = p.points.data();
    const auto [left, right] = algorithms_.reduce(
        std::size_t{0}, p.n, ends{points[0], points[0]}, [=](std::size_t i) { return ends{points[i], points[i]}; },
        join_ends{});
    point* const found = p.buffers[0].get();
    const chains sides = split(left, right, left, points, p.n, found, p.buffers[1].get());
    p.hull.resize(sides.count + (left == right ? 1 : 2) + sides.second_count);
    p.hull[0] = left;
    copy(found, sides.count, p.hull.data() + 1);
    if (left == right) return;
    p.hull[sides.count + 1] = right;
    copy(sides.second, sides.second_count, p.hull.data() + sides.count + 2);
  }

 private:
  /// The vertices between a and m, at the begin of the output, and those between m and b.
  struct chains {
    std::size_t count;
    const point* second;
    std::size_t second_count;
  };

  /// Finds the vertices between a and m, and between m and b, which are three vertices in their order, among the `n`
  /// points. All points on the right of a → m or of m → b are copied to `to`; there, and in `spare`, is room for them.
  chains split(const point& a, const point& m, const point& b, const point* points, std::size_t n, point* to,
               point* spare) const {
    const auto beyond = [](const point& from, const point& target) {
      return [=](const point& p) { return turn(from, p, target) > 0; };
    };
    point* const middle = algorithms_.copy_if(points, points + n, to, beyond(a, m));
    point* const end = algorithms_.copy_if(points, points + n, middle, beyond(m, b));
    chains both{0, middle, 0};
    const std::ptrdiff_t before = middle - to;
    algorithms_.fork([&, this] { both.count = find_between(a, m, to, static_cast<std::size_t>(before), spare); },
                     [&, this] {
                       both.second_count =
                           find_between(m, b, middle, static_cast<std::size_t>(end - middle), spare + before);
                     });
    return both;
  }

  /// Replaces the `n` points, which are all points on the right of a → b, by the vertices between a and b. Returns
  /// their number.
  std::size_t find_between(const point& a, const point& b, point* points, std::size_t n, point* spare) const {
    if (n <= 1) return n;
    const point far = algorithms_
                          .reduce(
                              std::size_t{0}, n, distant{0, a},
                              [=](std::size_t i) { return distant{turn(a, points[i], b), points[i]}; }, farther{})
                          .at;
    const chains both = split(a, far, b, points, n, spare, points);
    copy(spare, both.count, points);
    points[both.count] = far;
    copy(both.second, both.second_count, points + both.count + 1);
    return both.count + 1 + both.second_count;
  }

  void copy(const point* from, std::size_t n, point* to) const {
    algorithms_.for_each(std::size_t{0}, n, [=](std::size_t i) { to[i] = from[i]; });
  }

  const Algorithms& algorithms_;
};

template <class Algorithms>
void solve(problem& p, const Algorithms& algorithms) {
  quickhull{algorithms}.find(p);
}

}  // namespace bench
