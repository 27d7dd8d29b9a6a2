// floyd-warshall on tine's coroutines: each phase is forked in halves.
#include "programs/floyd-warshall/kernel.hpp"

#include "harness/blocks/coro.hpp"

namespace bench::floyd_warshall {

void coro(problem& p, stage s) { perform(p, s, coro_blocks{}); }

}  // namespace bench::floyd_warshall
