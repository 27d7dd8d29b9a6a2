// mandelbrot on tine: divide and conquer over the rows, and in each row down to single pixels.
#include "programs/mandelbrot/problem.hpp"

#include "harness/divide.hpp"

namespace bench::mandelbrot {

void dac(problem& p) {
  divide_for(0, p.n, single, [&p](int i) { divide_for(0, p.n, single, [&p, i](int j) { p.paint(i, j); }); });
}

}  // namespace bench::mandelbrot
