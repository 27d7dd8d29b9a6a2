// The program line-fit: parameters, variants, check.
#include "programs/line-fit/problem.hpp"

#include "harness/loop_variants.hpp"
#include "harness/size_options.hpp"

#include <fmt/format.h>

namespace bench {

program describe_program() {
  using namespace line_fit;
  static problem p;
  return {
      .name = "line-fit",
      .description = "Fits a straight line to points by least squares.",
      .add_options = [](CLI::App& app) { add_size_options(app, p.n, large_n, {1, largest_n}, "Fours of points"); },
      .params = [] { return nlohmann::json{{"n", p.n}}; },
      .reset = [] { p.reset(); },
      .variants = loop_variants<problem>(p, {serial, managed, tuned, dac, tbb, openmp}),
      .examine = []() -> finding {
        const nlohmann::json answer{p.best.slope, p.best.intercept};
        if (p.line_is_right()) return {answer, ""};
        return {answer, fmt::format("y = {}*x + {} is not the best line", p.best.slope, p.best.intercept)};
      },
  };
}

}  // namespace bench
