// The program min-spanning-forest: parameters, variants, check.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

namespace bench {

program describe_program() {
  using namespace min_spanning_forest;
  static problem p;
  const auto add_options = [](options& o) { p.add_options(o, large_scale); };
  return program_of_algorithms(p, "min-spanning-forest", "Finds the minimal spanning forest of a graph.", add_options,
                               [] { return p.params(); });
}

}  // namespace bench
