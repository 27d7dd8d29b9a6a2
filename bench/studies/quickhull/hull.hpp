// The upper half of a convex hull by quickhull, in two versions that differ in when they give memory back.
#pragma once

#include "studies/quickhull/sequence.hpp"

#include <span>

namespace bench::quickhull {

struct point {
  double x, y;
};

/// What becomes of the indices that came in, once they are divided into those on the left and on the right.
enum class incoming : bool { kept, cleared };

/// The indices of the points on the hull above the line from `a` to `b`, in the order in which a walk over it from `a` meets
/// them. `a` and `b` are not among them.
sequence upper_hull(std::span<const point> points, point a, point b, incoming what);

}  // namespace bench::quickhull
