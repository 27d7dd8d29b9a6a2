// floyd-warshall on tine: each phase is forked in halves down to single blocks.
#include "programs/floyd-warshall/kernel.hpp"

#include "harness/blocks/managed.hpp"

namespace bench::floyd_warshall {

void managed(problem& p, stage s) { perform(p, s, forked_blocks{}); }

}  // namespace bench::floyd_warshall
