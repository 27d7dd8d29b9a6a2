// The program skynet: parameters, variants, check.
#include "harness/program.hpp"
#include "programs/skynet/problem.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace bench {
namespace {

std::string refuse_other_than_powers_of_ten(const std::string& text) {
  std::int64_t n = 0;
  if (CLI::detail::lexical_cast(text, n) && n >= 1 && n <= skynet::most_leaves && skynet::is_power_of_ten(n)) return "";
  return fmt::format("Value {} is not a power of ten in 1 to {}", text, skynet::most_leaves);
}

}  // namespace

program describe_program() {
  static experiment<skynet::problem, std::int64_t> e;
  return {
      .name = "skynet",
      .description = "Adds up the numbers of the leaves of a tree in which every node has ten children.",
      .add_options =
          [](CLI::App& app) {
            app.add_option("--leaves", e.problem.leaves, "Leaves, a power of ten")
                ->check(CLI::Validator(refuse_other_than_powers_of_ten, "POWER OF TEN"))
                ->capture_default_str();
          },
      .params = [] { return nlohmann::json{{"leaves", e.problem.leaves}}; },
      .variants = {e.by("serial", runtime_kind::serial, skynet::serial),
                   e.by("managed", runtime_kind::tine, skynet::managed),
                   e.by("coro", runtime_kind::tine_tasks, skynet::coro), e.by("tbb", runtime_kind::tbb, skynet::tbb),
                   e.by("openmp", runtime_kind::openmp, skynet::openmp)},
      .examine = []() -> finding {
        const std::int64_t right = skynet::expected(e.problem.leaves);
        if (e.answer == right) return {e.answer, ""};
        return {e.answer, fmt::format("{} leaves add up to {}, not {}", e.problem.leaves, right, e.answer)};
      },
  };
}

}  // namespace bench
