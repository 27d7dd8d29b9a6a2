// bfs on tine: divide and conquer down to single iterations.
#include "programs/bfs/search.hpp"

#include "harness/algorithms/algorithms_over.hpp"
#include "harness/loops/divided.hpp"

namespace bench::bfs {

void dac(problem& p) { search(p, algorithms_over{divided_loops{single}}); }

}  // namespace bench::bfs
