// The program map-heavy: parameters, variants, check.
#include "programs/map-heavy/problem.hpp"

#include "harness/loop_variants.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <numeric>

namespace bench {

program describe_program() {
  using namespace map_heavy;
  static problem p;
  return {
      .name = "map-heavy",
      .description = "Computes A[i] = f(i) for an f that takes about a microsecond.",
      .add_options =
          [](CLI::App& app) {
            app.add_option("--n", p.n, "Elements")->check(CLI::Range(std::size_t{1}, largest_n))->capture_default_str();
          },
      .params = [] { return nlohmann::json{{"n", p.n}}; },
      .reset = [] { p.reset(); },
      .variants = loop_variants<problem>(p, {serial, managed, tuned, dac, tbb, openmp}),
      .examine = []() -> finding {
        const std::uint64_t sum = std::accumulate(p.a.begin(), p.a.end(), std::uint64_t{0});
        if (p.hashes_are_right()) return {sum, ""};
        return {sum, fmt::format("an element of A is not f(i) (n = {})", p.n)};
      },
  };
}

}  // namespace bench
