// The program suffix-array: parameters, variants, check.
#include "programs/suffix-array/problem.hpp"

#include "harness/loop_variants.hpp"

namespace bench {

program describe_program() {
  using namespace suffix_array;
  static problem p;
  return {
      .name = "suffix-array",
      .description = "Sorts the suffixes of a text by prefix doubling.",
      .add_options = [](options& o) { o.size("--n", p.n, {1, largest_n}, large_n, "Characters"); },
      .params = [] { return parameters{{"n", p.n}}; },
      .reset = [] { p.reset(); },
      .variants = loop_variants<problem>(p, {serial, managed, tuned, dac, tbb, openmp}),
      .examine = []() -> finding { return {p.hash(), p.mistake()}; },
  };
}

}  // namespace bench
