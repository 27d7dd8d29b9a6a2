// longest-repeated-substring on the standard library's algorithms, which run on oneTBB, without forks in the short loops over the suffixes of a group.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

#include "harness/algorithms/std_par.hpp"
#include "harness/loops/serial.hpp"
#include "solve.hpp"

namespace bench {

void std_par_tbb(problem& p) { solve(p, std_par_algorithms{}, serial_loops{}); }

}  // namespace bench
