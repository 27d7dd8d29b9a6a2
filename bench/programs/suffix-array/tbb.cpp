// suffix-array on oneTBB.
#include "programs/suffix-array/problem.hpp"

#include "harness/loops/serial.hpp"
#include "harness/loops/tbb.hpp"

namespace bench::suffix_array {

void tbb(problem& p) { sort_suffixes(p, tbb_loops{}, serial_loops{}); }

}  // namespace bench::suffix_array
