// heat without forks.
#include "programs/heat/kernel.hpp"

#include "harness/blocks/serial.hpp"

namespace bench::heat {

void serial(problem& p, stage s) { perform(p, s, serial_blocks{}); }

}  // namespace bench::heat
