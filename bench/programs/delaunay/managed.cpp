// delaunay on tine: a fork for every part of more than three points.
#include "programs/delaunay/triangulate.hpp"

#include "harness/algorithms/managed.hpp"

namespace bench::delaunay {

void managed(problem& p) { triangulate(p, managed_algorithms{}, 0); }

}  // namespace bench::delaunay
