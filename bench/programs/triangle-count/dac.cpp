// triangle-count on tine as divide and conquer down to single neighbours.
#include "programs/triangle-count/problem.hpp"

#include "harness/loops/divided.hpp"

namespace bench::triangle_count {

void dac(problem& p) { p.answer = count_triangles(p.later, divided_loops{single}, divided_loops{single}); }

}  // namespace bench::triangle_count
