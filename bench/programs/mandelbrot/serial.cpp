// mandelbrot without forks.
#include "programs/mandelbrot/problem.hpp"

namespace bench::mandelbrot {

void serial(problem& p) {
  for (int i = 0; i < p.n; ++i) p.paint_row(i);
}

}  // namespace bench::mandelbrot
