// sparse-mxv without forks.
#include "programs/sparse-mxv/problem.hpp"

#include "harness/loops/serial.hpp"

namespace bench::sparse_mxv {

void serial(problem& p) { multiply(p, serial_loops{}, serial_loops{}); }

}  // namespace bench::sparse_mxv
