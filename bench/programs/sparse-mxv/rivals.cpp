// sparse-mxv on oneTBB and OpenMP.
#include "problem.hpp"

#include "harness/loops/openmp_loops.hpp"
#include "harness/loops/program_of_loops.hpp"
#include "harness/loops/serial.hpp"

namespace bench {

/// On oneTBB: rows are not divided.
void tbb(problem& p) { multiply(p, tbb_loops{}, serial_loops{}); }

/// On OpenMP: rows are not divided.
void openmp(problem& p) { multiply(p, openmp_loops{}, serial_loops{}); }

}  // namespace bench
