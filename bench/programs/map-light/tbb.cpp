// map-light on oneTBB, which chooses the size of the parts.
#include "programs/map-light/problem.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace bench::map_light {

void tbb(problem& p) {
  using range = ::tbb::blocked_range<std::size_t>;
  ::tbb::parallel_for(range{0, p.n}, [a = p.a.data(), b = p.b.data()](const range& part) {
    for (std::size_t i = part.begin(), end = part.end(); i != end; ++i) b[i] = image_of(a[i]);
  });
}

}  // namespace bench::map_light
