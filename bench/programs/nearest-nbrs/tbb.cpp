// nearest-nbrs on oneTBB.
#include "programs/nearest-nbrs/problem.hpp"

#include "harness/loops/tbb.hpp"

namespace bench::nearest_nbrs {

void tbb(problem& p) { find_neighbours(tbb_loops{}, p.points, p.nearest.data()); }

}  // namespace bench::nearest_nbrs
