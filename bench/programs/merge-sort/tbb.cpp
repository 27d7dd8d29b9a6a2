// merge-sort on oneTBB.
#include "programs/merge-sort/problem.hpp"

#include "harness/loops/tbb.hpp"

namespace bench::merge_sort {

void tbb(problem& p) { sort(tbb_loops{}, p.keys.data(), static_cast<std::ptrdiff_t>(p.n), p.buffer.data()); }

}  // namespace bench::merge_sort
