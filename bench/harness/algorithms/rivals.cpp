// The variants on oneTBB and OpenMP, and on the standard library's algorithms, which run on oneTBB.
#include "harness/algorithms/program_of_algorithms.hpp"

#include "harness/algorithms/openmp_algorithms.hpp"
#include "harness/algorithms/std_par.hpp"

namespace bench {

void std_par_tbb(problem& p) { solve(p, std_par_algorithms{}); }
void tbb(problem& p) { solve(p, tbb_algorithms{}); }
void openmp(problem& p) { solve(p, openmp_algorithms{}); }

}  // namespace bench
