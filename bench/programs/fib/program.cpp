// The program fib: parameters, variants, check.
#include "harness/program.hpp"
#include "programs/fib/problem.hpp"

namespace bench {

program describe_program() {
  static experiment<fib::problem, std::int64_t> e;
  return {
      .name = "fib",
      .description = "Fibonacci numbers by the doubly recursive definition.",
      .add_options = [](options& o) { o.number("--n", e.problem.n, {0, fib::largest_n}, "Which number"); },
      .params = [] { return parameters{{"n", e.problem.n}}; },
      .variants = {e.by("serial", runtime_kind::serial, fib::serial), e.by("managed", runtime_kind::tine, fib::managed),
                   e.by("managed_pair", runtime_kind::tine, fib::managed_pair),
                   e.by("coro", runtime_kind::tine_tasks, fib::coro), e.by("tbb", runtime_kind::tbb, fib::tbb),
                   e.by("openmp", runtime_kind::openmp, fib::openmp)},
      .examine = []() -> finding {
        const std::int64_t right = fib::expected(e.problem.n);
        if (e.answer == right) return {e.answer, ""};
        return {e.answer, format("fib({}) is {}, not {}", e.problem.n, right, e.answer)};
      },
  };
}

}  // namespace bench
