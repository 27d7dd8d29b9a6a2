// bfs on tine's own loops.
#include "programs/bfs/search.hpp"

#include "harness/loops/managed.hpp"

namespace bench::bfs {

void managed(problem& p) { search(p, managed_loops{}); }

}  // namespace bench::bfs
