// The program ray-cast: parameters, variants, check.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

namespace bench {

program describe_program() {
  using namespace ray_cast;
  static problem p;
  const auto add_options = [](options& o) {
    o.size("--n", p.n, {least_n, largest_n}, large_n, "Rays, and about as many triangles");
  };
  return program_of_algorithms(p, "ray-cast", "Finds the first triangle of a mesh that each of many rays hits.",
                               add_options, [] { return parameters{{"n", p.n}}; });
}

}  // namespace bench
