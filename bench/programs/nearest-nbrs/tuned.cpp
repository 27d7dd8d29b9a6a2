// nearest-nbrs on tine's eager forks: parts of a size chosen by hand.
#include "programs/nearest-nbrs/problem.hpp"

#include "harness/loops/divided.hpp"

namespace bench::nearest_nbrs {

void tuned(problem& p) { find_neighbours(divided_loops{256}, p.points, p.nearest.data(), 2048); }

}  // namespace bench::nearest_nbrs
