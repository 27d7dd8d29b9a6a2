// delaunay on tine's eager forks, with a grain chosen by hand.
#include "programs/delaunay/triangulate.hpp"

#include "harness/loops/managed.hpp"

namespace bench::delaunay {

void tuned(problem& p) { triangulate(p, managed_loops{}, tuned_grain); }

}  // namespace bench::delaunay
