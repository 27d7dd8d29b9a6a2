// The program cg: parameters, variants, check.
#include "harness/blocks/variants/program_of_phases.hpp"

namespace bench {

program describe_program() {
  static problem p;
  const auto add_options = [](options& o) {
    p.chosen.add_option(o);
    o.number("--block", p.block, {1, cg::largest_block}, "Rows of a block");
  };
  return program_of_phases(p, "cg", "Finds the smallest eigenvalue of a sparse matrix by conjugate gradients (NPB CG).",
                           add_options, [] { return parameters{{"class", p.chosen->name}, {"block", p.block}}; });
}

}  // namespace bench
