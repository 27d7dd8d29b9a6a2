// cg on tine: each phase is a loop over the blocks.
#include "programs/cg/kernel.hpp"

#include "harness/blocks/managed.hpp"

namespace bench::cg {

void managed(problem& p, stage s) { perform(p, s, looped_blocks{}); }

}  // namespace bench::cg
