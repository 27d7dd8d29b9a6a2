// The program matmul: parameters, variants, check.
#include "harness/program.hpp"
#include "programs/matmul/problem.hpp"

#include <bit>

namespace bench {

program describe_program() {
  static matmul::problem problem;
  const auto by = [](std::string name, runtime_kind runtime, void (*multiply)(const matmul::problem&)) -> variant {
    return {std::move(name), runtime, [multiply] { multiply(problem); }};
  };
  return {
      .name = "matmul",
      .description = "Multiplies two square matrices of doubles by recursion on quadrants.",
      .add_options =
          [](options& o) {
            const auto is_power = [](int n) { return std::has_single_bit(static_cast<unsigned>(n)); };
            o.number_of_kind("--n", problem.n, {matmul::leaf_size, matmul::largest_n}, "power of two", is_power,
                             "Rows and columns, a power of two");
          },
      .params = [] { return parameters{{"n", problem.n}}; },
      .reset = [] { problem.reset(); },
      .variants = {by("serial", runtime_kind::serial, matmul::serial),
                   by("managed", runtime_kind::tine, matmul::managed),
                   by("coro", runtime_kind::tine_tasks, matmul::coro), by("tbb", runtime_kind::tbb, matmul::tbb),
                   by("openmp", runtime_kind::openmp, matmul::openmp)},
      .examine = []() -> finding {
        if (problem.product_is_right()) return {problem.sum(), ""};
        return {problem.sum(), format("C is not the product of A and B (n = {})", problem.n)};
      },
  };
}

}  // namespace bench
