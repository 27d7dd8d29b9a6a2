// nearest-nbrs on tine as divide and conquer down to single points.
#include "programs/nearest-nbrs/problem.hpp"

#include "harness/loops/divided.hpp"

namespace bench::nearest_nbrs {

void dac(problem& p) { find_neighbours(divided_loops{single}, p.points, p.nearest.data()); }

}  // namespace bench::nearest_nbrs
