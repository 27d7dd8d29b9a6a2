// heat on tine: each phase is forked in halves down to single blocks.
#include "programs/heat/kernel.hpp"

#include "harness/blocks/managed.hpp"

namespace bench::heat {

void managed(problem& p, stage s) { perform(p, s, forked_blocks{}); }

}  // namespace bench::heat
