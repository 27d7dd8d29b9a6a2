// The program scan: parameters, variants, check.
#include "programs/scan/problem.hpp"

#include "harness/locality_variants.hpp"

namespace bench {

program describe_program() {
  using namespace scan;
  static problem p;
  const auto options = [](bench::options& o) {
    o.size("--n", p.n, {1, largest_n}, large_n, "Elements of 8 bytes");
    o.number("--block", p.block, {1, largest_n}, "Elements of a block");
  };
  return {
      .name = "scan",
      .description = "Computes all prefix sums of an array.",
      .add_options = options,
      .params = [] { return parameters{{"n", p.n}, {"block", p.block}}; },
      .reset = [] { p.reset(); },
      .variants = locality_variants<problem>(
          p, {serial, managed, coro, record_strict, iterative_relaxed, coarsened, openmp_static, openmp_tasks}),
      .examine = []() -> finding { return {p.last(), p.mistake()}; },
  };
}

}  // namespace bench
