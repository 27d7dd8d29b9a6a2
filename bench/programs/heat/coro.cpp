// heat on tine's coroutines: each phase is forked in halves.
#include "programs/heat/kernel.hpp"

#include "harness/blocks/coro.hpp"

namespace bench::heat {

void coro(problem& p, stage s) { perform(p, s, coro_blocks{}); }

}  // namespace bench::heat
