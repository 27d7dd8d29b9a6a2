// mandelbrot on oneTBB: a loop over the rows.
#include "programs/mandelbrot/problem.hpp"

#include <tbb/parallel_for.h>

namespace bench::mandelbrot {

void tbb(problem& p) {
  ::tbb::parallel_for(0, p.n, [&p](int i) { p.paint_row(i); });
}

}  // namespace bench::mandelbrot
