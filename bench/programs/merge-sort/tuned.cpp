// merge-sort on tine's eager forks: parts of a size chosen by hand.
#include "programs/merge-sort/problem.hpp"

#include "harness/loops/divided.hpp"

namespace bench::merge_sort {

void tuned(problem& p) {
  sort(divided_loops{single}, p.keys.data(), static_cast<std::ptrdiff_t>(p.n), p.buffer.data(), 8192);
}

}  // namespace bench::merge_sort
