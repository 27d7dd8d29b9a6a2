// The variant on tine's coroutines: each phase is forked in halves.
#include "harness/blocks/variants/variants.hpp"

#include "harness/blocks/coro.hpp"
#include "kernel.hpp"  // the program's

namespace bench {

void coro(problem& p, stage s) { perform(p, s, coro_blocks{}); }

}  // namespace bench
