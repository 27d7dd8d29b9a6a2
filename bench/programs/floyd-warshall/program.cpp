// The program floyd-warshall: parameters, variants, check.
#include "programs/floyd-warshall/problem.hpp"

#include "harness/locality_variants.hpp"

namespace bench {

program describe_program() {
  using namespace floyd_warshall;
  static problem p;
  const auto options = [](bench::options& o) {
    o.number("--n", p.n, {1, largest_n}, "Vertices");
    o.number("--block", p.block, {1, largest_n}, "Tiles of a block");
  };
  return {
      .name = "floyd-warshall",
      .description = "Finds the lengths of the shortest ways between all vertices of a graph.",
      .add_options = options,
      .params = [] { return parameters{{"n", p.n}, {"block", p.block}}; },
      .reset = [] { p.reset(); },
      .variants = locality_variants<problem>(
          p, {serial, managed, coro, record_strict, iterative_relaxed, coarsened, openmp_static, openmp_tasks}),
      .examine = []() -> finding { return {p.sum(), p.mistake()}; },
  };
}

}  // namespace bench
