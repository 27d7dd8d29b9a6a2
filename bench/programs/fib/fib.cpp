// fib: its variants on tine and without forks, its parameters, and the check of its answer.
#include "problem.hpp"

#include "harness/loops/managed.hpp"
#include "harness/loops/program_of_loops.hpp"
#include "harness/loops/serial.hpp"

#include <tine/coro.hpp>

namespace bench {

void serial(problem& p) { solve(p, serial_loops{}); }
void managed(problem& p) { solve(p, managed_loops{}); }

namespace {

void managed_pair(problem& p) { solve(p, managed_pairs{}); }

// On tine's coroutines: one branch is forked, the other called.

tine::task<std::int64_t> coro_fib(std::int64_t n) {
  if (n < 2) co_return n;
  std::int64_t a;
  co_await tine::fork<coro_fib>(&a, n - 1);
  const std::int64_t b = co_await tine::call<coro_fib>(n - 2);
  co_await tine::join;
  co_return a + b;
}

void coro(problem& p) { p.answer = tine::run(coro_fib, p.n); }

}  // namespace

std::string problem::mistake() const {
  const std::int64_t right = expected(n);
  return answer == right ? "" : format("fib({}) is {}, not {}", n, right, answer);
}

program describe_program() {
  static problem p;
  program it{
      .name = "fib",
      .description = "Fibonacci numbers by the doubly recursive definition.",
      .add_options = [](options& o) { o.number("--n", p.n, {0, largest_n}, "Which number"); },
  };
  return completed<problem>(std::move(it), p,
                            {{"serial", runtime_kind::serial, serial},
                             {"managed", runtime_kind::tine, managed},
                             {"managed_pair", runtime_kind::tine, managed_pair},
                             {"coro", runtime_kind::tine_tasks, coro},
                             {"tbb", runtime_kind::tbb, tbb},
                             {"openmp", runtime_kind::openmp, openmp}});
}

}  // namespace bench
