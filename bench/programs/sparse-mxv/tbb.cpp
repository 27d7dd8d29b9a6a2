// sparse-mxv on oneTBB: rows are not divided.
#include "programs/sparse-mxv/problem.hpp"

#include "harness/loops/serial.hpp"
#include "harness/loops/tbb.hpp"

namespace bench::sparse_mxv {

void tbb(problem& p) { multiply(p, tbb_loops{}, serial_loops{}); }

}  // namespace bench::sparse_mxv
