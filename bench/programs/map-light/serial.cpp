// map-light without forks.
#include "programs/map-light/problem.hpp"

namespace bench::map_light {

void serial(problem& p) {
  const std::uint64_t* a = p.a.data();
  std::uint64_t* b = p.b.data();
  for (std::size_t i = 0; i < p.n; ++i) b[i] = image_of(a[i]);
}

}  // namespace bench::map_light
