// The program maximal-matching: parameters, variants, check.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

namespace bench {

program describe_program() {
  using namespace maximal_matching;
  static problem p;
  const auto add_options = [](options& o) { p.add_options(o, large_scale); };
  program it = program_of_algorithms(p, "maximal-matching", "Chooses a maximal matching of a graph.", add_options,
                                     [] { return p.params(); });
  it.passes = 4;
  return it;
}

}  // namespace bench
