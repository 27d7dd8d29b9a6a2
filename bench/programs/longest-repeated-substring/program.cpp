// The program longest-repeated-substring: parameters, variants, check.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

namespace bench {

program describe_program() {
  using namespace longest_repeated_substring;
  static problem p;
  const auto add_options = [](options& o) { o.size("--n", p.n, {1, largest_n}, large_n, "Characters"); };
  return program_of_algorithms(p, "longest-repeated-substring",
                               "Finds the longest substring of a text that occurs in it twice.", add_options,
                               [] { return parameters{{"n", p.n}}; });
}

}  // namespace bench
