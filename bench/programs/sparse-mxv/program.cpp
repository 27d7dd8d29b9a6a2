// The program sparse-mxv: parameters, variants, check.
#include "programs/sparse-mxv/problem.hpp"

#include "harness/loop_variants.hpp"
#include "harness/size_options.hpp"

namespace bench {

program describe_program() {
  using namespace sparse_mxv;
  static problem p;
  return {
      .name = "sparse-mxv",
      .description = "Multiplies a sparse matrix with rows of very different lengths by a vector.",
      .add_options = [](CLI::App& app) { add_size_options(app, p.n, large_n, {1, large_n}, "Rows and columns"); },
      .params = [] { return nlohmann::json{{"n", p.n}}; },
      .reset = [] { p.reset(); },
      .variants = loop_variants<problem>(p, {serial, managed, tuned, dac, tbb, openmp}),
      .examine = []() -> finding { return {p.sum(), p.mistake()}; },
  };
}

}  // namespace bench
