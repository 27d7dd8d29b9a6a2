// The program floyd-warshall: parameters, variants, check.
#include "harness/blocks/variants/program_of_phases.hpp"

namespace bench {

program describe_program() {
  static problem p;
  const auto add_options = [](options& o) {
    o.size("--n", p.n, {1, floyd_warshall::largest_n}, floyd_warshall::large_n, "Vertices");
    o.number("--block", p.block, {1, floyd_warshall::largest_n}, "Tiles of a block");
  };
  return program_of_phases(p, "floyd-warshall",
                           "Finds the lengths of the shortest ways between all vertices of a graph.", add_options,
                           [] { return parameters{{"n", p.n}, {"block", p.block}}; });
}

}  // namespace bench
