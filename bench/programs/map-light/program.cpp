// The program map-light: parameters, variants, check.
#include "programs/map-light/problem.hpp"

#include "harness/loop_variants.hpp"

#include <numeric>

namespace bench {

program describe_program() {
  using namespace map_light;
  static problem p;
  return {
      .name = "map-light",
      .description = "Computes B[i] = 3*A[i] + 1 for all elements of an array.",
      .add_options = [](options& o) { o.size("--n", p.n, {1, largest_n}, large_n, "Elements of 8 bytes"); },
      .params = [] { return parameters{{"n", p.n}}; },
      .reset = [] { p.reset(); },
      .passes = 6,
      .variants = loop_variants<problem>(p, {serial, managed, tuned, dac, tbb, openmp}),
      .examine = []() -> finding {
        const std::uint64_t sum = std::accumulate(p.b.begin(), p.b.end(), std::uint64_t{0});
        if (p.image_is_right()) return {sum, ""};
        return {sum, format("an element of B is not 3*A[i] + 1 (n = {})", p.n)};
      },
  };
}

}  // namespace bench
