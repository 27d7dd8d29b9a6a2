// line-fit on oneTBB.
#include "programs/line-fit/fit.hpp"

#include "harness/loops/tbb.hpp"

namespace bench::line_fit {

void tbb(problem& p) { fit(p, tbb_loops{}); }

}  // namespace bench::line_fit
