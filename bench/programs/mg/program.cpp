// The program mg: parameters, variants, check.
#include "programs/mg/problem.hpp"

#include "harness/locality_variants.hpp"

namespace bench {

program describe_program() {
  using namespace mg;
  static problem p;
  p.choose("W");
  const auto options = [](bench::options& o) {
    o.word("--class", p.chosen().name, class_names(), [](const std::string& name) { p.choose(name); }, "NPB's class");
  };
  return {
      .name = "mg",
      .description = "Solves Poisson's equation on a cube by V-cycles over grids of all sizes (NPB MG).",
      .add_options = options,
      .params = [] { return parameters{{"class", p.chosen().name}}; },
      .reset = [] { p.reset(); },
      .variants = locality_variants<problem>(
          p, {serial, managed, coro, record_strict, iterative_relaxed, coarsened, openmp_static, openmp_tasks}),
      .examine = []() -> finding { return {p.norm, p.mistake()}; },
  };
}

}  // namespace bench
