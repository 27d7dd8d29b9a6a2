// The Delaunay triangulation of points in the plane: no circle around a triangle has a point inside.
#pragma once

#include "programs/delaunay/mesh.hpp"

#include <cstddef>
#include <vector>

namespace bench::delaunay {

constexpr std::size_t default_n = 400'000;
constexpr std::size_t large_n = 2'000'000;
constexpr std::size_t largest_n = 20'000'000;

/// Variants with a grain chosen by hand do not fork for this number of points or fewer.
constexpr std::uint32_t tuned_grain = 512;

struct problem {
  std::size_t n = default_n;
  std::vector<point> points;  ///< distinct, in no order; the run puts them in the order of their abscissae
  mesh edges;

  /// Makes the points if `n` has changed since the last call, puts them into their first order, and forgets all edges.
  void reset();

  std::size_t count_edges() const;

  /// Returns a description of the mistake in the triangulation, or "".
  const char* mistake() const;

 private:
  std::vector<point> input_;
};

void serial(problem& p);
void managed(problem& p);
void tuned(problem& p);
[[gnu::weak]] void tbb(problem& p);
[[gnu::weak]] void openmp(problem& p);

}  // namespace bench::delaunay
