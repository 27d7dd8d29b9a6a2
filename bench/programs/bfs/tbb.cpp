// bfs on oneTBB.
#include "programs/bfs/search.hpp"

#include "harness/loops/tbb.hpp"

namespace bench::bfs {

void tbb(problem& p) { search(p, tbb_loops{}); }

}  // namespace bench::bfs
