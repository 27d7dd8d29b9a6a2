// map-light without forks.
#include "programs/map-light/problem.hpp"

namespace bench::map_light {

void serial(problem& p) {
  const std::uint64_t* a = p.a.data();
  std::uint64_t* b = p.b.data();
  const std::size_t n = p.n;  // the compiler knows that no store to the array changes this copy
  for (std::size_t i = 0; i < n; ++i) b[i] = image_of(a[i]);
}

}  // namespace bench::map_light
