// suffix-array on tine.
#include "programs/suffix-array/problem.hpp"

#include "harness/algorithms/managed.hpp"

namespace bench::suffix_array {

void managed(problem& p) { sort_suffixes(p, managed_algorithms{}, managed_algorithms{}); }

}  // namespace bench::suffix_array
