// The program delaunay-refinement: parameters, variants, check.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

namespace bench {

program describe_program() {
  using namespace delaunay_refinement;
  static problem p;
  const auto add_options = [](options& o) { o.size("--n", p.n, {least_n, largest_n}, large_n, "Points of the input"); };
  return program_of_algorithms(p, "delaunay-refinement", "Adds points to a triangulation until no angle is small.",
                               add_options, [] { return parameters{{"n", p.n}}; });
}

}  // namespace bench
