// suffix-array without forks.
#include "programs/suffix-array/problem.hpp"

#include "harness/loops/serial.hpp"

namespace bench::suffix_array {

void serial(problem& p) { sort_suffixes(p, serial_loops{}, serial_loops{}); }

}  // namespace bench::suffix_array
