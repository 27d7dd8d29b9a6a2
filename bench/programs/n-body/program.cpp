// The program n-body: parameters, variants, check.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

#include <map>

namespace bench {

program describe_program() {
  using namespace n_body;
  static problem p;
  static std::string word = "cube";
  const auto choose = [](const std::string& chosen) {
    static const std::map<std::string, shape> shapes{{"cube", shape::cube}, {"plummer", shape::plummer}};
    word = chosen;
    p.of = shapes.at(chosen);
  };
  const auto add_options = [choose](options& o) {
    o.size("--n", p.n, {least_n, largest_n}, large_n, "Bodies");
    o.word("--bodies", word, {"cube", "plummer"}, choose, "Distribution of the bodies");
  };
  return program_of_algorithms(p, "n-body", "Finds the gravitational field at each of many bodies.", add_options,
                               [] { return parameters{{"n", p.n}, {"bodies", word}}; });
}

}  // namespace bench
