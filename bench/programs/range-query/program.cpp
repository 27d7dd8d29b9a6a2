// The program range-query: parameters, variants, check.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

namespace bench {

program describe_program() {
  using namespace range_query;
  static problem p;
  const auto add_options = [](options& o) { o.size("--n", p.n, {1, largest_n}, large_n, "Points, and rectangles"); };
  return program_of_algorithms(p, "range-query", "Counts the points in each of many rectangles.", add_options,
                               [] { return parameters{{"n", p.n}}; });
}

}  // namespace bench
