// The program triangle-count: parameters, variants, check.
#include "programs/triangle-count/problem.hpp"

#include "harness/loop_variants.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace bench {

program describe_program() {
  using namespace triangle_count;
  static problem p;
  return {
      .name = "triangle-count",
      .description = "Counts the triangles of a random graph in which few vertices have many neighbours.",
      .add_options =
          [](CLI::App& app) {
            auto* scale = app.add_option("--scale", p.scale, "The graph has 2^scale vertices")
                              ->check(CLI::Range(1, 24))
                              ->capture_default_str();
            app.add_flag_callback(
                   "--large", [] { p.scale = large_scale; }, fmt::format("The same as --scale {}", large_scale))
                ->excludes(scale);
          },
      .params = [] { return nlohmann::json{{"scale", p.scale}}; },
      .reset = [] { p.reset(); },
      .variants = loop_variants<problem>(p, {serial, managed, tuned, dac, tbb, openmp}),
      .examine = []() -> finding { return {p.answer, p.mistake()}; },
  };
}

}  // namespace bench
