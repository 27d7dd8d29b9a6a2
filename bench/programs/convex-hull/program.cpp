// The program convex-hull: parameters, variants, check.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

#include <map>

namespace bench {

program describe_program() {
  using namespace convex_hull;
  static problem p;
  static std::string word = "disc";
  const auto choose = [](const std::string& chosen) {
    static const std::map<std::string, shape> shapes{
        {"disc", shape::disc}, {"square", shape::square}, {"circle", shape::circle}};
    word = chosen;
    p.of = shapes.at(chosen);
  };
  const auto add_options = [choose](options& o) {
    o.size("--n", p.n, {1, largest_n}, large_n, "Points");
    o.word("--points", word, {"disc", "square", "circle"}, choose, "Distribution of the points");
  };
  program it = program_of_algorithms(p, "convex-hull", "Finds the convex hull of random points of the plane.",
                                     add_options, [] { return parameters{{"n", p.n}, {"points", word}}; });
  it.passes = 4;
  return it;
}

}  // namespace bench
