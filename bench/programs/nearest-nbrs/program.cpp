// The program nearest-nbrs: parameters, variants, check.
#include "programs/nearest-nbrs/problem.hpp"

#include "harness/loop_variants.hpp"

namespace bench {

program describe_program() {
  using namespace nearest_nbrs;
  static problem p;
  return {
      .name = "nearest-nbrs",
      .description = "Finds the nearest neighbour of each of many points in the plane by a k-d tree.",
      .add_options = [](options& o) { o.size("--n", p.n, {2, largest_n}, large_n, "Points, at least 2"); },
      .params = [] { return parameters{{"n", p.n}}; },
      .reset = [] { p.reset(); },
      .variants = loop_variants<problem>(p, {serial, managed, tuned, dac, tbb, openmp}),
      .examine = []() -> finding { return {p.sum(), p.mistake()}; },
  };
}

}  // namespace bench
