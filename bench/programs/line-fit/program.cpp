// The program line-fit: parameters, variants, check.
#include "programs/line-fit/problem.hpp"

#include "harness/loop_variants.hpp"

namespace bench {

program describe_program() {
  using namespace line_fit;
  static problem p;
  return {
      .name = "line-fit",
      .description = "Fits a straight line to points by least squares.",
      .add_options = [](options& o) { o.size("--n", p.n, {1, largest_n}, large_n, "Fours of points"); },
      .params = [] { return parameters{{"n", p.n}}; },
      .reset = [] { p.reset(); },
      .passes = 4,
      .variants = loop_variants<problem>(p, {serial, managed, tuned, dac, tbb, openmp}),
      .examine = []() -> finding {
        const std::vector<double> answer{p.best.slope, p.best.intercept};
        if (p.line_is_right()) return {answer, ""};
        return {answer, format("y = {}*x + {} is not the best line", p.best.slope, p.best.intercept)};
      },
  };
}

}  // namespace bench
