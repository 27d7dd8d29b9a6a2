// The program maximal-matching: parameters, variants, check.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

namespace bench {

program describe_program() {
  using namespace maximal_matching;
  static problem p;
  static std::string word = "rmat";
  const auto choose = [](const std::string& chosen) {
    word = chosen;
    p.of = chosen == "grid" ? shape::grid : shape::rmat;
  };
  const auto add_options = [choose](options& o) {
    o.size("--scale", p.scale, {1, largest_scale}, large_scale, "2 to the power of this is the number of vertices");
    o.word("--graph", word, {"rmat", "grid"}, choose, "Shape of the graph");
  };
  program it = program_of_algorithms(p, "maximal-matching", "Chooses a maximal matching of a graph.", add_options,
                                     [] { return parameters{{"scale", p.scale}, {"graph", word}}; });
  it.passes = 4;
  return it;
}

}  // namespace bench
