// The program remove-duplicates: parameters, variants, check.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

#include <map>

namespace bench {

program describe_program() {
  using namespace remove_duplicates;
  static problem p;
  static std::string keys = "random";
  const auto choose = [](const std::string& chosen) {
    static const std::map<std::string, distribution> distributions{
        {"random", distribution::random}, {"few", distribution::few}, {"exponential", distribution::exponential}};
    keys = chosen;
    p.of = distributions.at(chosen);
  };
  const auto add_options = [choose](options& o) {
    o.size("--n", p.n, {1, largest_n}, large_n, "Keys");
    o.word("--keys", keys, {"random", "few", "exponential"}, choose, "Distribution of the keys");
  };
  return program_of_algorithms(p, "remove-duplicates", "Finds the distinct keys of a sequence.", add_options,
                               [] { return parameters{{"n", p.n}, {"keys", keys}}; });
}

}  // namespace bench
