// suffix-array on tine.
#include "programs/suffix-array/problem.hpp"

#include "harness/loops/managed.hpp"

namespace bench::suffix_array {

void managed(problem& p) { sort_suffixes(p, managed_loops{}, managed_loops{}); }

}  // namespace bench::suffix_array
