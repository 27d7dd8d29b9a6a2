// bfs on oneTBB.
#include "programs/bfs/search.hpp"

#include "harness/algorithms/tbb.hpp"

namespace bench::bfs {

void tbb(problem& p) { search(p, tbb_algorithms{}); }

}  // namespace bench::bfs
