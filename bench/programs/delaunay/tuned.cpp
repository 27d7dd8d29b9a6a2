// delaunay on tine's eager forks, with a grain chosen by hand.
#include "programs/delaunay/triangulate.hpp"

#include "harness/algorithms/managed.hpp"

namespace bench::delaunay {

void tuned(problem& p) { triangulate(p, managed_algorithms{}, tuned_grain); }

}  // namespace bench::delaunay
