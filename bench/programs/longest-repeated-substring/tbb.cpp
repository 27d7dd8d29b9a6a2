// longest-repeated-substring on oneTBB, without forks in the short loops over the suffixes of a group.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

#include "harness/algorithms/tbb.hpp"
#include "harness/loops/serial.hpp"
#include "solve.hpp"

namespace bench {

void tbb(problem& p) { solve(p, tbb_algorithms{}, serial_loops{}); }

}  // namespace bench
