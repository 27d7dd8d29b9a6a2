// The program nqueens: parameters, variants, check.
#include "harness/program.hpp"
#include "programs/nqueens/problem.hpp"

namespace bench {

program describe_program() {
  static experiment<nqueens::problem, std::int64_t> e;
  return {
      .name = "nqueens",
      .description = "Counts the ways to place n queens on an n by n board so that none attacks another.",
      .add_options =
          [](options& o) { o.number("--n", e.problem.n, {nqueens::smallest_n, nqueens::largest_n}, "Queens"); },
      .params = [] { return parameters{{"n", e.problem.n}}; },
      .variants = {e.by("serial", runtime_kind::serial, nqueens::serial),
                   e.by("managed", runtime_kind::tine, nqueens::managed),
                   e.by("heartbeat", runtime_kind::tine_heartbeat, nqueens::managed),
                   e.by("tuned", runtime_kind::tine_eager, nqueens::tuned),
                   e.by("dac", runtime_kind::tine, nqueens::dac), e.by("coro", runtime_kind::tine_tasks, nqueens::coro),
                   e.by("tbb", runtime_kind::tbb, nqueens::tbb), e.by("openmp", runtime_kind::openmp, nqueens::openmp)},
      .examine = []() -> finding {
        const std::int64_t right = nqueens::expected(e.problem.n);
        if (e.answer == right) return {e.answer, ""};
        return {e.answer, format("{} queens have {} solutions, not {}", e.problem.n, right, e.answer)};
      },
  };
}

}  // namespace bench
