// The program skynet: parameters, variants, check.
#include "harness/program.hpp"
#include "programs/skynet/problem.hpp"

namespace bench {

program describe_program() {
  static experiment<skynet::problem, std::int64_t> e;
  return {
      .name = "skynet",
      .description = "Adds up the numbers of the leaves of a tree in which every node has ten children.",
      .add_options =
          [](options& o) {
            o.number_of_kind("--leaves", e.problem.leaves, {1, skynet::most_leaves}, "power of ten",
                             skynet::is_power_of_ten, "Leaves, a power of ten");
          },
      .params = [] { return parameters{{"leaves", e.problem.leaves}}; },
      .variants = {e.by("serial", runtime_kind::serial, skynet::serial),
                   e.by("managed", runtime_kind::tine, skynet::managed),
                   e.by("coro", runtime_kind::tine_tasks, skynet::coro), e.by("tbb", runtime_kind::tbb, skynet::tbb),
                   e.by("openmp", runtime_kind::openmp, skynet::openmp)},
      .examine = []() -> finding {
        const std::int64_t right = skynet::expected(e.problem.leaves);
        if (e.answer == right) return {e.answer, ""};
        return {e.answer, format("{} leaves add up to {}, not {}", e.problem.leaves, right, e.answer)};
      },
  };
}

}  // namespace bench
