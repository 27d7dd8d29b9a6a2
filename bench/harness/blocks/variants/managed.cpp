// On tine: each phase in halves, or a loop over the blocks.
#include "harness/blocks/variants/variants.hpp"

#include "harness/blocks/managed.hpp"
#include "kernel.hpp"  // the program's

namespace bench {

void managed(problem& p, stage s) { perform(p, s, managed_blocks<problem>{}); }

}  // namespace bench
