// sparse-mxv on tine.
#include "programs/sparse-mxv/problem.hpp"

#include "harness/loops/managed.hpp"

namespace bench::sparse_mxv {

void managed(problem& p) { multiply(p, managed_loops{}, managed_loops{}); }

}  // namespace bench::sparse_mxv
