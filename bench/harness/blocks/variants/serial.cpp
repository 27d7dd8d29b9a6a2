// The variant without forks.
#include "harness/blocks/variants/variants.hpp"

#include "harness/blocks/serial.hpp"
#include "kernel.hpp"  // the program's

namespace bench {

void serial(problem& p, stage s) { perform(p, s, serial_blocks{}); }

}  // namespace bench
