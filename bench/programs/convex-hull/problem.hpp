// The problem convex-hull: find the smallest convex polygon around points of the plane.
#pragma once

#include "point.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace bench::convex_hull {

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

}  // namespace bench::convex_hull

namespace bench {
using convex_hull::problem;
}
