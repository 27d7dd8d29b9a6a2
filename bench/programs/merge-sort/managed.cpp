// merge-sort on tine.
#include "programs/merge-sort/problem.hpp"

#include "harness/loops/managed.hpp"

namespace bench::merge_sort {

void managed(problem& p) { sort(managed_loops{}, p.keys.data(), static_cast<std::ptrdiff_t>(p.n), p.buffer.data()); }

}  // namespace bench::merge_sort
