// map-heavy on OpenMP: a taskloop, because the root of a run is already inside the parallel region.
#include "programs/map-heavy/problem.hpp"

namespace bench::map_heavy {

void openmp(problem& p) {
  std::uint64_t* a = p.a.data();
  const std::size_t n = p.n;
#pragma omp taskloop default(none) shared(a, n)
  for (std::size_t i = 0; i < n; ++i) a[i] = hash_of(i);
}

}  // namespace bench::map_heavy
