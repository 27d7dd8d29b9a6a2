// line-fit on tine: divide and conquer down to four points.
#include "programs/line-fit/fit.hpp"

#include "harness/loops/divided.hpp"

namespace bench::line_fit {

void dac(problem& p) { fit(p, divided_loops{single}); }

}  // namespace bench::line_fit
