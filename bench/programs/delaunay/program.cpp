// The program delaunay: parameters, variants, check.
#include "programs/delaunay/problem.hpp"

#include "harness/loop_variants.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace bench {

program describe_program() {
  using namespace delaunay;
  static problem p;
  return {
      .name = "delaunay",
      .description = "Triangulates random points in the plane, so that no circle around a triangle has one inside.",
      .add_options =
          [](CLI::App& app) {
            auto* n = app.add_option("--n", p.n, "Points")
                          ->check(CLI::Range(std::size_t{4}, largest_n))
                          ->capture_default_str();
            app.add_flag_callback(
                   "--large", [] { p.n = large_n; }, fmt::format("The same as --n {}", large_n))
                ->excludes(n);
          },
      .params = [] { return nlohmann::json{{"n", p.n}}; },
      .reset = [] { p.reset(); },
      .variants = loop_variants<problem>(
          p, {.serial = serial, .managed = managed, .tuned = tuned, .dac = nullptr, .tbb = tbb, .openmp = openmp}),
      .examine = []() -> finding { return {p.count_edges(), p.mistake()}; },
  };
}

}  // namespace bench
