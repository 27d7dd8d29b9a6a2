// The program matmul: parameters, variants, check.
#include "harness/program.hpp"
#include "programs/matmul/problem.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <bit>

namespace bench {
namespace {

std::string refuse_other_than_powers_of_two(const std::string& text) {
  unsigned n = 0;
  if (CLI::detail::lexical_cast(text, n) && n >= matmul::leaf_size && n <= matmul::largest_n && std::has_single_bit(n))
    return "";
  return fmt::format("Value {} is not a power of two in {} to {}", text, matmul::leaf_size, matmul::largest_n);
}

}  // namespace

program describe_program() {
  static matmul::problem problem;
  const auto by = [](std::string name, runtime_kind runtime, void (*multiply)(const matmul::problem&)) -> variant {
    return {std::move(name), runtime, [multiply] { multiply(problem); }};
  };
  return {
      .name = "matmul",
      .description = "Multiplies two square matrices of doubles by recursion on quadrants.",
      .add_options =
          [](CLI::App& app) {
            app.add_option("--n", problem.n, "Rows and columns, a power of two")
                ->check(CLI::Validator(refuse_other_than_powers_of_two, "POWER OF TWO"))
                ->capture_default_str();
          },
      .params = [] { return nlohmann::json{{"n", problem.n}}; },
      .reset = [] { problem.reset(); },
      .variants = {by("serial", runtime_kind::serial, matmul::serial),
                   by("managed", runtime_kind::tine, matmul::managed),
                   by("coro", runtime_kind::tine_tasks, matmul::coro), by("tbb", runtime_kind::tbb, matmul::tbb),
                   by("openmp", runtime_kind::openmp, matmul::openmp)},
      .examine = []() -> finding {
        if (problem.product_is_right()) return {problem.sum(), ""};
        return {problem.sum(), fmt::format("C is not the product of A and B (n = {})", problem.n)};
      },
  };
}

}  // namespace bench
