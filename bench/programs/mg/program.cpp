// The program mg: parameters, variants, check.
#include "harness/blocks/variants/program_of_phases.hpp"

namespace bench {

program describe_program() {
  static problem p;
  const auto add_options = [](options& o) { p.chosen.add_option(o); };
  return program_of_phases(p, "mg", "Solves Poisson's equation on a cube by V-cycles over grids of all sizes (NPB MG).",
                           add_options, [] { return parameters{{"class", p.chosen->name}}; });
}

}  // namespace bench
