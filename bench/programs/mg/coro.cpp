// mg on tine's coroutines: each phase is forked in halves.
#include "programs/mg/kernel.hpp"

#include "harness/blocks/coro.hpp"

namespace bench::mg {

void coro(problem& p, stage s) { perform(p, s, coro_blocks{}); }

}  // namespace bench::mg
