// The variants on oneTBB and OpenMP that most programs of loops have, over the template `solve` in the program's
// problem.hpp.
#include "harness/loops/program_of_loops.hpp"

#include "harness/algorithms/openmp_algorithms.hpp"

namespace bench {

void tbb(problem& p) { solve(p, tbb_algorithms{}); }
void openmp(problem& p) { solve(p, openmp_algorithms{}); }

}  // namespace bench
