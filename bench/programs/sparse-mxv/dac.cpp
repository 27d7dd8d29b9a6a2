// sparse-mxv on tine as divide and conquer down to single elements.
#include "programs/sparse-mxv/problem.hpp"

#include "harness/loops/divided.hpp"

namespace bench::sparse_mxv {

void dac(problem& p) { multiply(p, divided_loops{single}, divided_loops{single}); }

}  // namespace bench::sparse_mxv
