// The variant on tine: each phase is forked in halves, or is a loop over the blocks.
#include "harness/blocks/variants/program_of_phases.hpp"

#include "harness/blocks/managed.hpp"
#include "initialise.hpp"  // the program's

namespace bench {

void managed(problem& p, stage s) { perform(p, s, managed_blocks<problem>{}); }

}  // namespace bench
