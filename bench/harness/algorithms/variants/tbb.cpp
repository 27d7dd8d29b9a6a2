// The variant on oneTBB.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

#include "harness/algorithms/tbb.hpp"
#include "solve.hpp"  // the program's

namespace bench {

void tbb(problem& p) { solve(p, tbb_algorithms{}); }

}  // namespace bench
