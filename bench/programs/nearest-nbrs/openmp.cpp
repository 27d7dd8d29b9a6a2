// nearest-nbrs on OpenMP.
#include "programs/nearest-nbrs/problem.hpp"

#include "harness/loops/openmp.hpp"

namespace bench::nearest_nbrs {

void openmp(problem& p) { find_neighbours(openmp_loops{}, p.points, p.nearest.data()); }

}  // namespace bench::nearest_nbrs
