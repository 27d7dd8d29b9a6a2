// triangle-count on OpenMP: only the first vertices are divided.
#include "programs/triangle-count/problem.hpp"

#include "harness/loops/openmp.hpp"
#include "harness/loops/serial.hpp"

namespace bench::triangle_count {

void openmp(problem& p) { p.answer = count_triangles(p.later, openmp_loops{}, serial_loops{}); }

}  // namespace bench::triangle_count
