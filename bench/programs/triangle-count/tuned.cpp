// triangle-count on tine's eager forks: parts of a size chosen by hand.
#include "programs/triangle-count/problem.hpp"

#include "harness/loops/divided.hpp"

namespace bench::triangle_count {

void tuned(problem& p) { p.answer = count_triangles(p.later, divided_loops{64}, divided_loops{64}); }

}  // namespace bench::triangle_count
