// cg without forks.
#include "programs/cg/kernel.hpp"

#include "harness/blocks/serial.hpp"

namespace bench::cg {

void serial(problem& p, stage s) { perform(p, s, serial_blocks{}); }

}  // namespace bench::cg
