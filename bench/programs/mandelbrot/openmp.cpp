// mandelbrot on OpenMP: the rows are tasks, because they are uneven.
#include "programs/mandelbrot/problem.hpp"

namespace bench::mandelbrot {

void openmp(problem& p) {
  const auto n = static_cast<std::size_t>(p.n);
#pragma omp taskloop default(none) shared(p, n) grainsize(1)
  for (std::size_t i = 0; i < n; ++i) p.paint_row(static_cast<int>(i));
}

}  // namespace bench::mandelbrot
