// floyd-warshall without forks.
#include "programs/floyd-warshall/kernel.hpp"

#include "harness/blocks/serial.hpp"

namespace bench::floyd_warshall {

void serial(problem& p, stage s) { perform(p, s, serial_blocks{}); }

}  // namespace bench::floyd_warshall
