// triangle-count on tine.
#include "programs/triangle-count/problem.hpp"

#include "harness/loops/managed.hpp"

namespace bench::triangle_count {

void managed(problem& p) { p.answer = count_triangles(p.later, managed_loops{}, managed_loops{}); }

}  // namespace bench::triangle_count
