// bfs on tine: divide and conquer down to single iterations.
#include "programs/bfs/search.hpp"

#include "harness/loops/divided.hpp"

namespace bench::bfs {

void dac(problem& p) { search(p, divided_loops{single}); }

}  // namespace bench::bfs
