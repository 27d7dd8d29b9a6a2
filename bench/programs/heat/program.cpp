// The program heat: parameters, variants, check.
#include "harness/blocks/variants/program_of_phases.hpp"

namespace bench {

program describe_program() {
  static problem p;
  const auto add_options = [](options& o) { p.add_options(o); };
  return program_of_phases(p, "heat", "Solves the heat equation on a square in explicit steps.", add_options,
                           [] { return p.params(); });
}

}  // namespace bench
