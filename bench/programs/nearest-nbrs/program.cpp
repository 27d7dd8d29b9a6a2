// The program nearest-nbrs: parameters, variants, check.
#include "programs/nearest-nbrs/problem.hpp"

#include "harness/loop_variants.hpp"
#include "harness/size_options.hpp"

namespace bench {

program describe_program() {
  using namespace nearest_nbrs;
  static problem p;
  return {
      .name = "nearest-nbrs",
      .description = "Finds the nearest neighbour of each of many points in the plane by a k-d tree.",
      .add_options = [](CLI::App& app) { add_size_options(app, p.n, large_n, {2, largest_n}, "Points, at least 2"); },
      .params = [] { return nlohmann::json{{"n", p.n}}; },
      .reset = [] { p.reset(); },
      .variants = loop_variants<problem>(p, {serial, managed, tuned, dac, tbb, openmp}),
      .examine = []() -> finding { return {p.sum(), p.mistake()}; },
  };
}

}  // namespace bench
