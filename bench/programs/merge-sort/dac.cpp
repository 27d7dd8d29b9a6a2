// merge-sort on tine as divide and conquer. It is the same as managed, because the program has no loops.
#include "programs/merge-sort/problem.hpp"

#include "harness/loops/divided.hpp"

namespace bench::merge_sort {

void dac(problem& p) { sort(divided_loops{single}, p.keys.data(), static_cast<std::ptrdiff_t>(p.n), p.buffer.data()); }

}  // namespace bench::merge_sort
