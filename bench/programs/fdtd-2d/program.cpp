// The program fdtd-2d: parameters, variants, check.
#include "programs/fdtd-2d/problem.hpp"

#include "harness/locality_variants.hpp"

#include <CLI/CLI.hpp>

namespace bench {

program describe_program() {
  using namespace fdtd_2d;
  static problem p;
  const auto options = [](CLI::App& app) {
    app.add_option("--n", p.n, "Rows and columns")->check(CLI::Range(2, largest_n))->capture_default_str();
    app.add_option("--steps", p.steps, "Steps in time")->check(CLI::Range(1, largest_steps))->capture_default_str();
    app.add_option("--block", p.block, "Rows of a block")->check(CLI::Range(1, largest_n))->capture_default_str();
  };
  return {
      .name = "fdtd-2d",
      .description = "Computes an electromagnetic wave in two dimensions by finite differences (PolyBench).",
      .add_options = options,
      .params = [] { return nlohmann::json{{"n", p.n}, {"steps", p.steps}, {"block", p.block}}; },
      .reset = [] { p.reset(); },
      .variants = locality_variants<problem>(
          p, {serial, managed, coro, record_strict, iterative_relaxed, coarsened, openmp_static, openmp_tasks}),
      .examine = []() -> finding { return {p.sum(), p.mistake()}; },
  };
}

}  // namespace bench
