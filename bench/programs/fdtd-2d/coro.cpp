// fdtd-2d on tine's coroutines: each phase is forked in halves.
#include "programs/fdtd-2d/kernel.hpp"

#include "harness/blocks/coro.hpp"

namespace bench::fdtd_2d {

void coro(problem& p, stage s) { perform(p, s, coro_blocks{}); }

}  // namespace bench::fdtd_2d
