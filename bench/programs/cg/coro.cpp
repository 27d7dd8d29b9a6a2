// cg on tine's coroutines: each phase is forked in halves.
#include "programs/cg/kernel.hpp"

#include "harness/blocks/coro.hpp"

namespace bench::cg {

void coro(problem& p, stage s) { perform(p, s, coro_blocks{}); }

}  // namespace bench::cg
