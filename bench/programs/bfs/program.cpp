// The program bfs: parameters, variants, check.
#include "programs/bfs/problem.hpp"

#include "harness/loop_variants.hpp"

namespace bench {

program describe_program() {
  using namespace bfs;
  static problem p;
  return {
      .name = "bfs",
      .description = "Finds shortest paths from one vertex of a random graph by breadth-first search.",
      .add_options =
          [](options& o) {
            o.size("--scale", p.scale, {1, largest_scale}, large_scale,
                   "2 to the power of this is the number of vertices");
          },
      .params = [] { return parameters{{"scale", p.scale}}; },
      .reset = [] { p.reset(); },
      .variants = loop_variants<problem>(p, {serial, managed, tuned, dac, tbb, openmp}),
      .examine = []() -> finding { return {p.count_reached(), p.mistake()}; },
  };
}

}  // namespace bench
