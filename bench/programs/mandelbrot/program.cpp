// The program mandelbrot: parameters, variants, check.
#include "programs/mandelbrot/problem.hpp"

#include "harness/loop_variants.hpp"

#include <CLI/CLI.hpp>

namespace bench {

program describe_program() {
  using namespace mandelbrot;
  static problem p;
  return {
      .name = "mandelbrot",
      .description = "Counts for each pixel how many steps its point stays near the Mandelbrot set.",
      .add_options =
          [](CLI::App& app) {
            app.add_option("--n", p.n, "Rows and columns")->check(CLI::Range(1, largest_n))->capture_default_str();
          },
      .params = [] { return nlohmann::json{{"n", p.n}}; },
      .reset = [] { p.reset(); },
      .variants = loop_variants<problem>(p, {serial, managed, tuned, dac, tbb, openmp}),
      .examine = []() -> finding { return {p.sum(), p.mistake()}; },
  };
}

}  // namespace bench
