// The program fdtd-2d: parameters, variants, check.
#include "programs/fdtd-2d/problem.hpp"

#include "harness/locality_variants.hpp"

namespace bench {

program describe_program() {
  using namespace fdtd_2d;
  static problem p;
  const auto options = [](bench::options& o) {
    o.number("--n", p.n, {2, largest_n}, "Rows and columns");
    o.number("--steps", p.steps, {1, largest_steps}, "Steps in time");
    o.number("--block", p.block, {1, largest_n}, "Rows of a block");
  };
  return {
      .name = "fdtd-2d",
      .description = "Computes an electromagnetic wave in two dimensions by finite differences (PolyBench).",
      .add_options = options,
      .params = [] { return parameters{{"n", p.n}, {"steps", p.steps}, {"block", p.block}}; },
      .reset = [] { p.reset(); },
      .variants = locality_variants<problem>(
          p, {serial, managed, coro, record_strict, iterative_relaxed, coarsened, openmp_static, openmp_tasks}),
      .examine = []() -> finding { return {p.sum(), p.mistake()}; },
  };
}

}  // namespace bench
