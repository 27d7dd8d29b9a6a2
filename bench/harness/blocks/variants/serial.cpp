// The variant without forks.
#include "harness/blocks/variants/program_of_phases.hpp"

#include "harness/blocks/serial.hpp"
#include "initialise.hpp"  // the program's

namespace bench {

void serial(problem& p, stage s) { perform(p, s, serial_blocks{}); }

}  // namespace bench
