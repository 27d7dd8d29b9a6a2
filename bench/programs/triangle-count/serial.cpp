// triangle-count without forks.
#include "programs/triangle-count/problem.hpp"

#include "harness/loops/serial.hpp"

namespace bench::triangle_count {

void serial(problem& p) { p.answer = count_triangles(p.later, serial_loops{}, serial_loops{}); }

}  // namespace bench::triangle_count
