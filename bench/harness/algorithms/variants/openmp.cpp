// The variant on OpenMP.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

#include "harness/algorithms/openmp.hpp"
#include "solve.hpp"  // the program's

namespace bench {

void openmp(problem& p) { solve(p, openmp_algorithms{}); }

}  // namespace bench
