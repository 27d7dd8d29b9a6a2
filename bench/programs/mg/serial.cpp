// mg without forks.
#include "programs/mg/kernel.hpp"

#include "harness/blocks/serial.hpp"

namespace bench::mg {

void serial(problem& p, stage s) { perform(p, s, serial_blocks{}); }

}  // namespace bench::mg
