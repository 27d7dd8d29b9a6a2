// The program spanning-forest: parameters, variants, check.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

namespace bench {

program describe_program() {
  using namespace spanning_forest;
  static problem p;
  const auto add_options = [](options& o) { p.add_options(o, large_scale); };
  program it = program_of_algorithms(p, "spanning-forest", "Finds a spanning forest of a graph.", add_options,
                                     [] { return p.params(); });
  it.passes = 2;
  return it;
}

}  // namespace bench
