// The program map-heavy: parameters, variants, check.
#include "programs/map-heavy/problem.hpp"

#include "harness/loop_variants.hpp"

#include <numeric>

namespace bench {

program describe_program() {
  using namespace map_heavy;
  static problem p;
  return {
      .name = "map-heavy",
      .description = "Computes A[i] = f(i) for an f that takes about a microsecond.",
      .add_options = [](options& o) { o.number("--n", p.n, {1, largest_n}, "Elements"); },
      .params = [] { return parameters{{"n", p.n}}; },
      .reset = [] { p.reset(); },
      .variants = loop_variants<problem>(p, {serial, managed, tuned, dac, tbb, openmp}),
      .examine = []() -> finding {
        const std::uint64_t sum = std::accumulate(p.a.begin(), p.a.end(), std::uint64_t{0});
        if (p.hashes_are_right()) return {sum, ""};
        return {sum, format("an element of A is not f(i) (n = {})", p.n)};
      },
  };
}

}  // namespace bench
