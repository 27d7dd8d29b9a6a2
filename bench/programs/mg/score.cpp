// mg on tine, each phase following a schedule: the initialisation's, one tuned by idle workers, a coarsened one.
#include "programs/mg/kernel.hpp"

#include "harness/blocks/managed.hpp"
#include "harness/blocks/score.hpp"

namespace bench::mg {

void record_strict(problem& p, stage s) { record_and_follow<looped_blocks>(p, s); }
void iterative_relaxed(problem& p, stage s) { relax_and_follow<looped_blocks>(p, s); }
void coarsened(problem& p, stage s) { coarsen_and_follow<looped_blocks>(p, s); }

}  // namespace bench::mg
