// The program integer-sort: parameters, variants, check.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

namespace bench {

program describe_program() {
  using namespace integer_sort;
  static problem p;
  static std::string keys = "random", items = "keys";
  const auto choose_keys = [](const std::string& chosen) {
    keys = chosen;
    p.of = chosen == "random" ? distribution::random : distribution::exponential;
  };
  const auto choose_items = [](const std::string& chosen) {
    items = chosen;
    p.with_values = chosen == "pairs";
  };
  const auto add_options = [choose_keys, choose_items](options& o) {
    o.size("--n", p.n, {1, largest_n}, large_n, "Items");
    o.word("--keys", keys, {"random", "exponential"}, choose_keys, "Distribution of the keys");
    o.word("--items", items, {"keys", "pairs"}, choose_items, "Keys alone, or pairs of a key and a value");
  };
  program it = program_of_algorithms(p, "integer-sort", "Sorts items by integer keys of 27 bits.", add_options,
                                     [] { return parameters{{"n", p.n}, {"keys", keys}, {"items", items}}; });
  it.passes = 2;
  return it;
}

}  // namespace bench
