// The program merge-sort: parameters, variants, check.
#include "programs/merge-sort/problem.hpp"

#include "harness/loop_variants.hpp"

namespace bench {

program describe_program() {
  using namespace merge_sort;
  static problem p;
  return {
      .name = "merge-sort",
      .description = "Sorts random 64-bit keys by merging, with merges that are parallel, too.",
      .add_options = [](options& o) { o.size("--n", p.n, {1, largest_n}, large_n, "Keys"); },
      .params = [] { return parameters{{"n", p.n}}; },
      .reset = [] { p.reset(); },
      .variants = loop_variants<problem>(p, {serial, managed, tuned, dac, tbb, openmp}),
      .examine = []() -> finding { return {p.median(), p.mistake()}; },
  };
}

}  // namespace bench
