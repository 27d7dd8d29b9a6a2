// bfs on OpenMP.
#include "programs/bfs/search.hpp"

#include "harness/algorithms/openmp.hpp"

namespace bench::bfs {

void openmp(problem& p) { search(p, openmp_algorithms{}); }

}  // namespace bench::bfs
