// nearest-nbrs without forks.
#include "programs/nearest-nbrs/problem.hpp"

#include "harness/loops/serial.hpp"

namespace bench::nearest_nbrs {

void serial(problem& p) { find_neighbours(serial_loops{}, p.points, p.nearest.data()); }

}  // namespace bench::nearest_nbrs
