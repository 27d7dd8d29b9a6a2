// The program histogram: parameters, variants, check.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

namespace bench {

program describe_program() {
  using namespace histogram;
  static problem p;
  static std::string keys = "random";
  const auto choose = [](const std::string& chosen) {
    keys = chosen;
    p.of = chosen == "random" ? distribution::random : distribution::exponential;
  };
  const auto add_options = [choose](options& o) {
    o.size("--n", p.n, {1, largest_n}, large_n, "Keys");
    o.number("--bins", p.bins, {1, most_bins}, "Bins");
    o.word("--keys", keys, {"random", "exponential"}, choose, "Distribution of the keys");
  };
  program it = program_of_algorithms(p, "histogram", "Counts the keys of each bin.", add_options,
                                     [] { return parameters{{"n", p.n}, {"bins", p.bins}, {"keys", keys}}; });
  it.passes = 8;
  return it;
}

}  // namespace bench
