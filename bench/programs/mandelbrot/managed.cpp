// mandelbrot on tine: a parallel loop over the rows, and in each row a parallel loop over the pixels.
#include "programs/mandelbrot/problem.hpp"

#include <tine/tine.hpp>

namespace bench::mandelbrot {

void managed(problem& p) {
  tine::par_for(0, p.n, [&p](int i) { tine::par_for(0, p.n, [&p, i](int j) { p.paint(i, j); }); });
}

}  // namespace bench::mandelbrot
