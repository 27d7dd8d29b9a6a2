// The program triangle-count: parameters, variants, check.
#include "programs/triangle-count/problem.hpp"

#include "harness/loop_variants.hpp"

namespace bench {

program describe_program() {
  using namespace triangle_count;
  static problem p;
  return {
      .name = "triangle-count",
      .description = "Counts the triangles of a random graph in which few vertices have many neighbours.",
      .add_options =
          [](options& o) { o.size("--scale", p.scale, {1, 24}, large_scale, "The graph has 2^scale vertices"); },
      .params = [] { return parameters{{"scale", p.scale}}; },
      .reset = [] { p.reset(); },
      .variants = loop_variants<problem>(p, {serial, managed, tuned, dac, tbb, openmp}),
      .examine = []() -> finding { return {p.answer, p.mistake()}; },
  };
}

}  // namespace bench
