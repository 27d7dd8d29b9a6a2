// The program delaunay: parameters, variants, check.
#include "programs/delaunay/problem.hpp"

#include "harness/loop_variants.hpp"

namespace bench {

program describe_program() {
  using namespace delaunay;
  static problem p;
  return {
      .name = "delaunay",
      .description = "Triangulates random points in the plane, so that no circle around a triangle has one inside.",
      .add_options = [](options& o) { o.size("--n", p.n, {4, largest_n}, large_n, "Points"); },
      .params = [] { return parameters{{"n", p.n}}; },
      .reset = [] { p.reset(); },
      .variants = loop_variants<problem>(
          p, {.serial = serial, .managed = managed, .tuned = tuned, .dac = nullptr, .tbb = tbb, .openmp = openmp}),
      .examine = []() -> finding { return {p.count_edges(), p.mistake()}; },
  };
}

}  // namespace bench
