// The program primes: parameters, variants, check.
#include "programs/primes/problem.hpp"

#include "harness/loop_variants.hpp"
#include "harness/size_options.hpp"

namespace bench {

program describe_program() {
  using namespace primes;
  static problem p;
  return {
      .name = "primes",
      .description = "Finds the primes up to n by a sieve in segments.",
      .add_options =
          [](CLI::App& app) { add_size_options(app, p.n, large_n, {2, large_n}, "The greatest number, at least 2"); },
      .params = [] { return nlohmann::json{{"n", p.n}}; },
      .reset = [] { p.reset(); },
      .variants = loop_variants<problem>(p, {serial, managed, tuned, dac, tbb, openmp}),
      .examine = []() -> finding { return {p.answer.size(), p.mistake()}; },
  };
}

}  // namespace bench
