// Points of the plane whose coordinates are whole numbers, and the exact tests on them that a hull needs.
#pragma once

#include <compare>
#include <cstdint>

namespace bench::convex_hull {

/// Coordinates are whole numbers from 0 to below this. Differences have 31 bits with the sign, so that the difference of two products of
/// them has 62 bits: all tests are exact in 64 bits.
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

}  // namespace bench::convex_hull
