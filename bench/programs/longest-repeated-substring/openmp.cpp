// longest-repeated-substring on OpenMP, without forks in the short loops over the suffixes of a group.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

#include "harness/algorithms/openmp.hpp"
#include "harness/loops/serial.hpp"
#include "solve.hpp"

namespace bench {

void openmp(problem& p) { solve(p, openmp_algorithms{}, serial_loops{}); }

}  // namespace bench
