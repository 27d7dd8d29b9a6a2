// The irregular loops on OpenMP's taskloop, both of them.
#include "harness/loops/openmp.hpp"

#include "programs/irregular/nests.hpp"

namespace bench::irregular {

void openmp(problem& p) { p.answer = sum(p, openmp_loops{}, openmp_loops{}); }

}  // namespace bench::irregular
