// The program cg: parameters, variants, check.
#include "programs/cg/problem.hpp"

#include "harness/locality_variants.hpp"

#include <CLI/CLI.hpp>

namespace bench {

program describe_program() {
  using namespace cg;
  static problem p;
  p.choose("W");
  const auto options = [](CLI::App& app) {
    app.add_option_function<std::string>(
           "--class", [](const std::string& name) { p.choose(name); }, "NPB's class")
        ->check(CLI::IsMember(class_names()))
        ->default_str(p.chosen().name);
    app.add_option("--block", p.block, "Rows of a block")->check(CLI::Range(1, largest_block))->capture_default_str();
  };
  return {
      .name = "cg",
      .description = "Finds the smallest eigenvalue of a sparse matrix by conjugate gradients (NPB CG).",
      .add_options = options,
      .params = [] { return nlohmann::json{{"class", p.chosen().name}, {"block", p.block}}; },
      .reset = [] { p.reset(); },
      .variants = locality_variants<problem>(
          p, {serial, managed, coro, record_strict, iterative_relaxed, coarsened, openmp_static, openmp_tasks}),
      .examine = []() -> finding { return {p.zeta, p.mistake()}; },
  };
}

}  // namespace bench
