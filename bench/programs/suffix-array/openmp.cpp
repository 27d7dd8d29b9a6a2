// suffix-array on OpenMP.
#include "programs/suffix-array/problem.hpp"

#include "harness/loops/openmp.hpp"
#include "harness/loops/serial.hpp"

namespace bench::suffix_array {

void openmp(problem& p) { sort_suffixes(p, openmp_loops{}, serial_loops{}); }

}  // namespace bench::suffix_array
