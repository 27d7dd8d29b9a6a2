// suffix-array on tine's eager forks: parts of a size chosen by hand.
#include "programs/suffix-array/problem.hpp"

#include "harness/loops/divided.hpp"

namespace bench::suffix_array {

void tuned(problem& p) { sort_suffixes(p, divided_loops{2048}, divided_loops{2048}, 8192); }

}  // namespace bench::suffix_array
