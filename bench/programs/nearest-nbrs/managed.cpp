// nearest-nbrs on tine.
#include "programs/nearest-nbrs/problem.hpp"

#include "harness/algorithms/managed.hpp"

namespace bench::nearest_nbrs {

void managed(problem& p) { find_neighbours(managed_algorithms{}, p.points, p.nearest.data()); }

}  // namespace bench::nearest_nbrs
