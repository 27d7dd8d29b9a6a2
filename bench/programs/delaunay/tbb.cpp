// delaunay on oneTBB, with the grain of tuned.
#include "programs/delaunay/triangulate.hpp"

#include "harness/loops/tbb.hpp"

namespace bench::delaunay {

void tbb(problem& p) { triangulate(p, tbb_loops{}, tuned_grain); }

}  // namespace bench::delaunay
