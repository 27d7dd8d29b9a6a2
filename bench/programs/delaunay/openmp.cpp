// delaunay on OpenMP, with the grain of tuned.
#include "programs/delaunay/triangulate.hpp"

#include "harness/algorithms/openmp.hpp"

namespace bench::delaunay {

void openmp(problem& p) { triangulate(p, openmp_algorithms{}, tuned_grain); }

}  // namespace bench::delaunay
