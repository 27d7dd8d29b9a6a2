// mandelbrot on oneTBB and OpenMP.
#include "problem.hpp"

#include "harness/loops/program_of_loops.hpp"

#include <tbb/parallel_for.h>

namespace bench {

/// On oneTBB: a loop over the rows.
void tbb(problem& p) {
  ::tbb::parallel_for(0, p.n, [&p](int i) { p.paint_row(i); });
}

/// On OpenMP: the rows are tasks, because they are uneven.
void openmp(problem& p) {
  const auto n = static_cast<std::size_t>(p.n);
#pragma omp taskloop default(none) shared(p, n) grainsize(1)
  for (std::size_t i = 0; i < n; ++i) p.paint_row(static_cast<int>(i));
}

}  // namespace bench
