// The variant on tine's coroutines: each phase is forked in halves.
#include "harness/blocks/variants/program_of_phases.hpp"

#include "harness/blocks/coro.hpp"
#include "initialise.hpp"  // the program's

namespace bench {

void coro(problem& p, stage s) { perform(p, s, coro_blocks{}); }

}  // namespace bench
