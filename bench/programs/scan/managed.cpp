// scan on tine: each phase is a loop over the blocks.
#include "programs/scan/kernel.hpp"

#include "harness/blocks/managed.hpp"

namespace bench::scan {

void managed(problem& p, stage s) { perform(p, s, looped_blocks{}); }

}  // namespace bench::scan
