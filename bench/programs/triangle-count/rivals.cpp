// triangle-count on oneTBB and OpenMP.
#include "problem.hpp"

#include "harness/loops/openmp_loops.hpp"
#include "harness/loops/program_of_loops.hpp"
#include "harness/loops/serial.hpp"

namespace bench {

/// On oneTBB: only the first vertices are divided.
void tbb(problem& p) { p.answer = count_triangles(p.later, tbb_loops{}, serial_loops{}); }

/// On OpenMP: only the first vertices are divided.
void openmp(problem& p) { p.answer = count_triangles(p.later, openmp_loops{}, serial_loops{}); }

}  // namespace bench
