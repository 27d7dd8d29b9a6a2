// The program bfs: parameters, variants, check.
#include "programs/bfs/problem.hpp"

#include "harness/loop_variants.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace bench {

program describe_program() {
  using namespace bfs;
  static problem p;
  return {
      .name = "bfs",
      .description = "Finds shortest paths from one vertex of a random graph by breadth-first search.",
      .add_options =
          [](CLI::App& app) {
            auto* scale = app.add_option("--scale", p.scale, "2 to the power of this is the number of vertices")
                              ->check(CLI::Range(1, largest_scale))
                              ->capture_default_str();
            app.add_flag_callback(
                   "--large", [] { p.scale = large_scale; }, fmt::format("The same as --scale {}", large_scale))
                ->excludes(scale);
          },
      .params = [] { return nlohmann::json{{"scale", p.scale}}; },
      .reset = [] { p.reset(); },
      .variants = loop_variants<problem>(p, {serial, managed, tuned, dac, tbb, openmp}),
      .examine = []() -> finding { return {p.count_reached(), p.mistake()}; },
  };
}

}  // namespace bench
