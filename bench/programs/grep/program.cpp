// The program grep: parameters, variants, check.
#include "programs/grep/problem.hpp"

#include "harness/loop_variants.hpp"

namespace bench {

program describe_program() {
  using namespace grep;
  static problem p;
  return {
      .name = "grep",
      .description = "Finds the lines of a text that contain a pattern.",
      .add_options = [](options& o) { o.size("--n", p.n, {1, largest_n}, large_n, "Bytes of text"); },
      .params = [] { return parameters{{"n", p.n}}; },
      .reset = [] { p.reset(); },
      .variants = loop_variants<problem>(p, {serial, managed, tuned, dac, tbb, openmp}),
      .examine = []() -> finding {
        if (p.found_is_right()) return {p.found.size(), ""};
        return {p.found.size(), "these are not the lines with the pattern"};
      },
  };
}

}  // namespace bench
