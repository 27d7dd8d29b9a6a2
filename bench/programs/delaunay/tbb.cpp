// delaunay on oneTBB, with the grain of tuned.
#include "programs/delaunay/triangulate.hpp"

#include "harness/algorithms/tbb.hpp"

namespace bench::delaunay {

void tbb(problem& p) { triangulate(p, tbb_algorithms{}, tuned_grain); }

}  // namespace bench::delaunay
