// The program floyd-warshall: parameters, variants, check.
#include "programs/floyd-warshall/problem.hpp"

#include "harness/locality_variants.hpp"

#include <CLI/CLI.hpp>

namespace bench {

program describe_program() {
  using namespace floyd_warshall;
  static problem p;
  const auto options = [](CLI::App& app) {
    app.add_option("--n", p.n, "Vertices")->check(CLI::Range(1, largest_n))->capture_default_str();
    app.add_option("--block", p.block, "Tiles of a block")->check(CLI::Range(1, largest_n))->capture_default_str();
  };
  return {
      .name = "floyd-warshall",
      .description = "Finds the lengths of the shortest ways between all vertices of a graph.",
      .add_options = options,
      .params = [] { return nlohmann::json{{"n", p.n}, {"block", p.block}}; },
      .reset = [] { p.reset(); },
      .variants = locality_variants<problem>(
          p, {serial, managed, coro, record_strict, iterative_relaxed, coarsened, openmp_static, openmp_tasks}),
      .examine = []() -> finding { return {p.sum(), p.mistake()}; },
  };
}

}  // namespace bench
