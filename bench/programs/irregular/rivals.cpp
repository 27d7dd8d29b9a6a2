// irregular on oneTBB and OpenMP.
#include "problem.hpp"

#include "harness/loops/openmp_loops.hpp"
#include "harness/loops/program_of_loops.hpp"

namespace bench {

/// On oneTBB: the outer and the inner loops are oneTBB's.
void tbb(problem& p) { p.answer = sum(p, tbb_loops{}, tbb_loops{}); }

/// On OpenMP: the outer and the inner loops are taskloops.
void openmp(problem& p) { p.answer = sum(p, openmp_loops{}, openmp_loops{}); }

}  // namespace bench
