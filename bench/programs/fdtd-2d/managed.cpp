// fdtd-2d on tine: each phase is forked in halves down to single blocks.
#include "programs/fdtd-2d/kernel.hpp"

#include "harness/blocks/managed.hpp"

namespace bench::fdtd_2d {

void managed(problem& p, stage s) { perform(p, s, forked_blocks{}); }

}  // namespace bench::fdtd_2d
