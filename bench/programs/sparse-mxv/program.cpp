// The program sparse-mxv: parameters, variants, check.
#include "programs/sparse-mxv/problem.hpp"

#include "harness/loop_variants.hpp"

namespace bench {

program describe_program() {
  using namespace sparse_mxv;
  static problem p;
  return {
      .name = "sparse-mxv",
      .description = "Multiplies a sparse matrix with rows of very different lengths by a vector.",
      .add_options = [](options& o) { o.size("--n", p.n, {1, large_n}, large_n, "Rows and columns"); },
      .params = [] { return parameters{{"n", p.n}}; },
      .reset = [] { p.reset(); },
      .passes = 2,
      .variants = loop_variants<problem>(p, {serial, managed, tuned, dac, tbb, openmp}),
      .examine = []() -> finding { return {p.sum(), p.mistake()}; },
  };
}

}  // namespace bench
