// The program word-frequencies: parameters, variants, check.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

namespace bench {

program describe_program() {
  using namespace word_frequencies;
  static problem p;
  static std::string word = "zipf";
  const auto choose = [](const std::string& chosen) {
    word = chosen;
    p.of = chosen == "zipf" ? language::zipf : language::trigrams;
  };
  const auto add_options = [choose](options& o) {
    o.size("--n", p.n, {1, largest_n}, large_n, "Characters");
    o.word("--text", word, {"zipf", "trigrams"}, choose, "Kind of words");
  };
  return program_of_algorithms(p, "word-frequencies", "Counts how often each word of a text occurs.", add_options,
                               [] { return parameters{{"n", p.n}, {"text", word}}; });
}

}  // namespace bench
