// mandelbrot on tine's eager forks: a row is the smallest part. Rows are uneven, but there are many.
#include "programs/mandelbrot/problem.hpp"

#include "harness/divide.hpp"

namespace bench::mandelbrot {

void tuned(problem& p) {
  divide_for(0, p.n, single, [&p](int i) { p.paint_row(i); });
}

}  // namespace bench::mandelbrot
