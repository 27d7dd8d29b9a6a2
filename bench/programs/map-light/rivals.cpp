// map-light on oneTBB and OpenMP.
#include "problem.hpp"

#include "harness/loops/program_of_loops.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace bench {

/// On oneTBB, which chooses the size of the parts.
void tbb(problem& p) {
  using range = ::tbb::blocked_range<std::size_t>;
  ::tbb::parallel_for(range{0, p.n}, [a = p.a.data(), b = p.b.data()](const range& part) {
    for (std::size_t i = part.begin(), end = part.end(); i != end; ++i) b[i] = image_of(a[i]);
  });
}

/// On OpenMP: a taskloop, because the root of a run is already inside the parallel region.
void openmp(problem& p) {
  const std::uint64_t* a = p.a.data();
  std::uint64_t* b = p.b.data();
  const std::size_t n = p.n;
#pragma omp taskloop default(none) shared(a, b, n)
  for (std::size_t i = 0; i < n; ++i) b[i] = image_of(a[i]);
}

}  // namespace bench
