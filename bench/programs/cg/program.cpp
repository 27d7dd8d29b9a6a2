// The program cg: parameters, variants, check.
#include "programs/cg/problem.hpp"

#include "harness/locality_variants.hpp"

namespace bench {

program describe_program() {
  using namespace cg;
  static problem p;
  p.choose("W");
  const auto options = [](bench::options& o) {
    o.word("--class", p.chosen().name, class_names(), [](const std::string& name) { p.choose(name); }, "NPB's class");
    o.number("--block", p.block, {1, largest_block}, "Rows of a block");
  };
  return {
      .name = "cg",
      .description = "Finds the smallest eigenvalue of a sparse matrix by conjugate gradients (NPB CG).",
      .add_options = options,
      .params = [] { return parameters{{"class", p.chosen().name}, {"block", p.block}}; },
      .reset = [] { p.reset(); },
      .variants = locality_variants<problem>(
          p, {serial, managed, coro, record_strict, iterative_relaxed, coarsened, openmp_static, openmp_tasks}),
      .examine = []() -> finding { return {p.zeta, p.mistake()}; },
  };
}

}  // namespace bench
