// scan on tine's coroutines: each phase is forked in halves.
#include "programs/scan/kernel.hpp"

#include "harness/blocks/coro.hpp"

namespace bench::scan {

void coro(problem& p, stage s) { perform(p, s, coro_blocks{}); }

}  // namespace bench::scan
