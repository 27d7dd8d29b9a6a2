// mg on tine: each phase is a loop over the blocks.
#include "programs/mg/kernel.hpp"

#include "harness/blocks/managed.hpp"

namespace bench::mg {

void managed(problem& p, stage s) { perform(p, s, looped_blocks{}); }

}  // namespace bench::mg
