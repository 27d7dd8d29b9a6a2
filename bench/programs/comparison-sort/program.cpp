// The program comparison-sort: parameters, variants, check.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

#include <map>

namespace bench {

program describe_program() {
  using namespace comparison_sort;
  static problem p;
  static std::string word = "random";
  const auto choose = [](const std::string& chosen) {
    static const std::map<std::string, order> orders{
        {"random", order::random}, {"exponential", order::exponential}, {"almost-sorted", order::almost_sorted}};
    word = chosen;
    p.of = orders.at(chosen);
  };
  const auto add_options = [choose](options& o) {
    o.size("--n", p.n, {1, largest_n}, large_n, "Keys");
    o.word("--keys", word, {"random", "exponential", "almost-sorted"}, choose, "Distribution of the keys");
  };
  return program_of_algorithms(p, "comparison-sort", "Sorts floating-point keys by comparisons.", add_options,
                               [] { return parameters{{"n", p.n}, {"keys", word}}; });
}

}  // namespace bench
