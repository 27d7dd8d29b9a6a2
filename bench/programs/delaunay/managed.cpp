// delaunay on tine: a fork for every part of more than three points.
#include "programs/delaunay/triangulate.hpp"

#include "harness/loops/managed.hpp"

namespace bench::delaunay {

void managed(problem& p) { triangulate(p, managed_loops{}, 0); }

}  // namespace bench::delaunay
