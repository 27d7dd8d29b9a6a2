// sparse-mxv on OpenMP: rows are not divided.
#include "programs/sparse-mxv/problem.hpp"

#include "harness/loops/openmp.hpp"
#include "harness/loops/serial.hpp"

namespace bench::sparse_mxv {

void openmp(problem& p) { multiply(p, openmp_loops{}, serial_loops{}); }

}  // namespace bench::sparse_mxv
