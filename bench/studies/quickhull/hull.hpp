// The upper half of a convex hull by quickhull, in two versions that differ in the time at which they free memory.
#pragma once

#include "studies/quickhull/sequence.hpp"

#include <span>

namespace bench::quickhull {

struct point {
  double x, y;
};

/// Selects whether a call keeps or clears its incoming indices after it has divided them into those on the left and on the right.
enum class incoming : bool { kept, cleared };

/// Returns the indices of the points on the hull above the line from `a` to `b`, in the order of a walk along the hull from `a`.
/// `a` and `b` are not among them.
sequence upper_hull(std::span<const point> points, point a, point b, incoming what);

}  // namespace bench::quickhull
