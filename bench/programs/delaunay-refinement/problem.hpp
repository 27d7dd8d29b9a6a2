// The problem delaunay-refinement: add points to a Delaunay triangulation until no triangle has a small angle.
#pragma once

#include "triangles.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace bench::delaunay_refinement {

constexpr std::size_t least_n = 100;
constexpr std::size_t usual_n = 200'000;
constexpr std::size_t large_n = 1'000'000;
constexpr std::size_t largest_n = 5'000'000;

/// So many points are possible, for each point of the input.
constexpr std::size_t capacity = 5;

/// A Delaunay triangulation of random points of a square and of its corners.
class problem {
 public:
  /// Makes the triangulation if `n` has changed since the last call, and removes added points.
  void reset();
  /// Returns the number of points: the answer that is reported.
  std::size_t answer() const { return mesh.point_count; }
  /// Returns a description of the mistake in the triangulation; empty if it is right.
  std::string mistake() const;

  std::size_t n = usual_n;
  triangulation mesh;

 private:
  std::string mistake_in(std::size_t t) const;

  std::vector<point> input_points_;
  std::vector<triangle> input_triangles_;
};

}  // namespace bench::delaunay_refinement

namespace bench {
using delaunay_refinement::problem;
}
