// The irregular loops on OpenMP: the outer and the inner loops are taskloops.
#include "harness/loops/openmp.hpp"

#include "programs/irregular/sum.hpp"

namespace bench::irregular {

void openmp(problem& p) { p.answer = sum(p, openmp_loops{}, openmp_loops{}); }

}  // namespace bench::irregular
