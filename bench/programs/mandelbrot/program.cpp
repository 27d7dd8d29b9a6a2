// The program mandelbrot: parameters, variants, check.
#include "programs/mandelbrot/problem.hpp"

#include "harness/loop_variants.hpp"

namespace bench {

program describe_program() {
  using namespace mandelbrot;
  static problem p;
  return {
      .name = "mandelbrot",
      .description = "Counts for each pixel how many steps its point stays near the Mandelbrot set.",
      .add_options = [](options& o) { o.number("--n", p.n, {1, largest_n}, "Rows and columns"); },
      .params = [] { return parameters{{"n", p.n}}; },
      .reset = [] { p.reset(); },
      .variants = loop_variants<problem>(p, {serial, managed, tuned, dac, tbb, openmp}),
      .examine = []() -> finding { return {p.sum(), p.mistake()}; },
  };
}

}  // namespace bench
