// The variant on the standard library's algorithms, which run on oneTBB.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

#include "harness/algorithms/std_par.hpp"
#include "solve.hpp"  // the program's

namespace bench {

void std_par_tbb(problem& p) { solve(p, std_par_algorithms{}); }

}  // namespace bench
