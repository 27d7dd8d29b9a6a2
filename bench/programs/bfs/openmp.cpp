// bfs on OpenMP.
#include "programs/bfs/search.hpp"

#include "harness/loops/openmp.hpp"

namespace bench::bfs {

void openmp(problem& p) { search(p, openmp_loops{}); }

}  // namespace bench::bfs
