// line-fit without forks.
#include "programs/line-fit/fit.hpp"

#include "harness/loops/serial.hpp"

namespace bench::line_fit {

void serial(problem& p) { fit(p, serial_loops{}); }

}  // namespace bench::line_fit
