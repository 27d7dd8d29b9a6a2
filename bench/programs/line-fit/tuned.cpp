// line-fit on tine's eager forks: parts of a size chosen by hand.
#include "programs/line-fit/fit.hpp"

#include "harness/loops/divided.hpp"

namespace bench::line_fit {

void tuned(problem& p) { fit(p, divided_loops{4096}); }

}  // namespace bench::line_fit
