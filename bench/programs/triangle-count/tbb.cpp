// triangle-count on oneTBB: only the first vertices are divided.
#include "programs/triangle-count/problem.hpp"

#include "harness/loops/serial.hpp"
#include "harness/loops/tbb.hpp"

namespace bench::triangle_count {

void tbb(problem& p) { p.answer = count_triangles(p.later, tbb_loops{}, serial_loops{}); }

}  // namespace bench::triangle_count
