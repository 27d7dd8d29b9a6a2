// The program maximal-independent-set: parameters, variants, check.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

namespace bench {

program describe_program() {
  using namespace maximal_independent_set;
  static problem p;
  const auto add_options = [](options& o) {
    o.size("--scale", p.scale, {1, largest_scale}, large_scale, "2 to the power of this is the number of vertices");
  };
  program it =
      program_of_algorithms(p, "maximal-independent-set", "Chooses a maximal independent set of a random graph.",
                            add_options, [] { return parameters{{"scale", p.scale}}; });
  it.passes = 8;
  return it;
}

}  // namespace bench
