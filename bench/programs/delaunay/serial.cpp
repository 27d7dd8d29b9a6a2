// delaunay without forks.
#include "programs/delaunay/triangulate.hpp"

namespace bench::delaunay {

void serial(problem& p) { triangulate(p, serial_loops{}, 0); }

}  // namespace bench::delaunay
