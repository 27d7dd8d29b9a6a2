// suffix-array on tine as divide and conquer down to single suffixes.
#include "programs/suffix-array/problem.hpp"

#include "harness/loops/divided.hpp"

namespace bench::suffix_array {

void dac(problem& p) { sort_suffixes(p, divided_loops{single}, divided_loops{single}); }

}  // namespace bench::suffix_array
