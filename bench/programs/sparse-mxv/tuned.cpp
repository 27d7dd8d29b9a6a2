// sparse-mxv on tine's eager forks: parts of a size chosen by hand.
#include "programs/sparse-mxv/problem.hpp"

#include "harness/loops/divided.hpp"

namespace bench::sparse_mxv {

void tuned(problem& p) { multiply(p, divided_loops{256}, divided_loops{8192}); }

}  // namespace bench::sparse_mxv
