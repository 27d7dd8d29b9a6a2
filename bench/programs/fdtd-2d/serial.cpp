// fdtd-2d without forks.
#include "programs/fdtd-2d/kernel.hpp"

#include "harness/blocks/serial.hpp"

namespace bench::fdtd_2d {

void serial(problem& p, stage s) { perform(p, s, serial_blocks{}); }

}  // namespace bench::fdtd_2d
