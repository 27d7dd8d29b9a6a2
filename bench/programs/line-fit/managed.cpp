// line-fit on tine: two reductions.
#include "programs/line-fit/fit.hpp"

#include "harness/loops/managed.hpp"

namespace bench::line_fit {

void managed(problem& p) { fit(p, managed_loops{}); }

}  // namespace bench::line_fit
