// map-light on OpenMP: a taskloop, because the root of a run is already inside the parallel region.
#include "programs/map-light/problem.hpp"

namespace bench::map_light {

void openmp(problem& p) {
  const std::uint64_t* a = p.a.data();
  std::uint64_t* b = p.b.data();
  const std::size_t n = p.n;
#pragma omp taskloop default(none) shared(a, b, n)
  for (std::size_t i = 0; i < n; ++i) b[i] = image_of(a[i]);
}

}  // namespace bench::map_light
