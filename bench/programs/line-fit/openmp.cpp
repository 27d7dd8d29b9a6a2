// line-fit on OpenMP.
#include "programs/line-fit/fit.hpp"

#include "harness/loops/openmp.hpp"

namespace bench::line_fit {

void openmp(problem& p) { fit(p, openmp_loops{}); }

}  // namespace bench::line_fit
