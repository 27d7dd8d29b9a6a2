// Points of the plane whose coordinates are small whole numbers, and the two tests on them that a triangulation needs.
#pragma once

#include <cmath>
#include <cstdint>

namespace bench::delaunay {

/// Coordinates are whole numbers from 0 to below this. Their differences have 25 bits with the sign, and sums of two products
/// of differences at most 51 bits: both are exact in a double.
constexpr std::uint64_t coordinates = std::uint64_t{1} << 24;

struct point {
  double x;
  double y;
  friend auto operator<=>(const point&, const point&) = default;
};

/// Returns twice the area of the triangle a, b, c, which is positive if the points are in counter-clockwise order. Exact.
[[gnu::always_inline]] inline double turn(const point& a, const point& b, const point& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// The terms whose sum is positive if d is inside the circle through a, b and c, which are in counter-clockwise order: three
/// products of a squared distance to d with twice an area. All six factors are exact.
struct circle_terms {
  double distance[3];
  double area[3];

  [[gnu::always_inline]] circle_terms(const point& a, const point& b, const point& c, const point& d)
      : distance{squared(a, d), squared(b, d), squared(c, d)}, area{turn(d, b, c), turn(d, c, a), turn(d, a, b)} {}

  /// Returns the exact sum, which is positive if d is inside.
  __int128 exact() const {
    __int128 sum = 0;
    for (int i = 0; i < 3; ++i)
      sum += static_cast<__int128>(static_cast<std::int64_t>(distance[i])) * static_cast<std::int64_t>(area[i]);
    return sum;
  }

 private:
  [[gnu::always_inline]] static double squared(const point& a, const point& b) {
    return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
  }
};

/// Returns true if d is inside the circle through a, b and c. The sum in floating point decides, unless it is so near to zero
/// that the rounding of three products and two additions, at most 4 · 2⁻⁵³ of their absolute values' sum, could matter.
[[gnu::always_inline]] inline bool in_circle(const point& a, const point& b, const point& c, const point& d) {
  const circle_terms t{a, b, c, d};
  double sum = 0, absolute = 0;
  for (int i = 0; i < 3; ++i) {
    sum += t.distance[i] * t.area[i];
    absolute += t.distance[i] * std::abs(t.area[i]);
  }
  if (std::abs(sum) > 0x1p-50 * absolute) [[likely]]
    return sum > 0;
  return t.exact() > 0;
}

}  // namespace bench::delaunay
