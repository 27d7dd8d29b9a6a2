// bfs on tine's eager forks, with a grain chosen by hand.
#include "programs/bfs/search.hpp"

#include "harness/algorithms/algorithms_over.hpp"
#include "harness/loops/divided.hpp"

namespace bench::bfs {

void tuned(problem& p) { search(p, algorithms_over{divided_loops{4}}); }

}  // namespace bench::bfs
