// The program fdtd-2d: parameters, variants, check.
#include "harness/blocks/variants/program_of_phases.hpp"

namespace bench {

program describe_program() {
  static problem p;
  const auto add_options = [](options& o) { p.add_options(o); };
  return program_of_phases(p, "fdtd-2d",
                           "Computes an electromagnetic wave in two dimensions by finite differences (PolyBench).",
                           add_options, [] { return p.params(); });
}

}  // namespace bench
