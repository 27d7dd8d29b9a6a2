// The program classification: parameters, variants, check.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

namespace bench {

program describe_program() {
  using namespace classification;
  static problem p;
  const auto add_options = [](options& o) { o.size("--n", p.n, {5, largest_n}, large_n, "Rows"); };
  return program_of_algorithms(p, "classification", "Learns a decision tree, and predicts classes by it.", add_options,
                               [] { return parameters{{"n", p.n}}; });
}

}  // namespace bench
