// bfs on tine's own algorithms.
#include "programs/bfs/search.hpp"

#include "harness/algorithms/managed.hpp"

namespace bench::bfs {

void managed(problem& p) { search(p, managed_algorithms{}); }

}  // namespace bench::bfs
