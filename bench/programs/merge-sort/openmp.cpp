// merge-sort on OpenMP.
#include "programs/merge-sort/problem.hpp"

#include "harness/loops/openmp.hpp"

namespace bench::merge_sort {

void openmp(problem& p) { sort(openmp_loops{}, p.keys.data(), static_cast<std::ptrdiff_t>(p.n), p.buffer.data()); }

}  // namespace bench::merge_sort
