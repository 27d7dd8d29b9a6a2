// The program scan: parameters, variants, check.
#include "programs/scan/problem.hpp"

#include "harness/locality_variants.hpp"
#include "harness/size_options.hpp"

#include <CLI/CLI.hpp>

namespace bench {

program describe_program() {
  using namespace scan;
  static problem p;
  const auto options = [](CLI::App& app) {
    add_size_options(app, p.n, large_n, {1, largest_n}, "Elements of 8 bytes");
    app.add_option("--block", p.block, "Elements of a block")
        ->check(CLI::Range(std::size_t{1}, largest_n))
        ->capture_default_str();
  };
  return {
      .name = "scan",
      .description = "Computes all prefix sums of an array.",
      .add_options = options,
      .params = [] { return nlohmann::json{{"n", p.n}, {"block", p.block}}; },
      .reset = [] { p.reset(); },
      .variants = locality_variants<problem>(
          p, {serial, managed, coro, record_strict, iterative_relaxed, coarsened, openmp_static, openmp_tasks}),
      .examine = []() -> finding { return {p.last(), p.mistake()}; },
  };
}

}  // namespace bench
