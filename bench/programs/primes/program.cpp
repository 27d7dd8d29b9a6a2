// The program primes: parameters, variants, check.
#include "programs/primes/problem.hpp"

#include "harness/loop_variants.hpp"

namespace bench {

program describe_program() {
  using namespace primes;
  static problem p;
  return {
      .name = "primes",
      .description = "Finds the primes up to n by a sieve in segments.",
      .add_options = [](options& o) { o.size("--n", p.n, {2, large_n}, large_n, "The greatest number, at least 2"); },
      .params = [] { return parameters{{"n", p.n}}; },
      .reset = [] { p.reset(); },
      .variants = loop_variants<problem>(p, {serial, managed, tuned, dac, tbb, openmp}),
      .examine = []() -> finding { return {p.answer.size(), p.mistake()}; },
  };
}

}  // namespace bench
