// The program bignum-add: parameters, variants, check.
#include "programs/bignum-add/problem.hpp"

#include "harness/loop_variants.hpp"

#include <numeric>

namespace bench {

program describe_program() {
  using namespace bignum_add;
  static problem p;
  return {
      .name = "bignum-add",
      .description = "Adds two integers of many megabytes.",
      .add_options = [](options& o) { o.size("--n", p.n, {1, largest_n}, large_n, "Limbs of 64 bits"); },
      .params = [] { return parameters{{"n", p.n}}; },
      .reset = [] { p.reset(); },
      .passes = 4,
      .variants = loop_variants<problem>(p, {serial, managed, tuned, dac, tbb, openmp}),
      .examine = []() -> finding {
        const limb sum = std::accumulate(p.c.begin(), p.c.end(), p.carry);
        if (p.sum_is_right()) return {sum, ""};
        return {sum, format("c - b is not a (n = {})", p.n)};
      },
  };
}

}  // namespace bench
