// fib: its variants on tine and without forks, its parameters, and the check of its answer.
#include "problem.hpp"

#include "harness/program.hpp"

#include <tine/coro.hpp>
#include <tine/tine.hpp>

#include <functional>

namespace bench {
namespace {

// Without forks.

[[gnu::noinline]] std::int64_t serial_fib(std::int64_t n) {
  if (n < 2) return n;
  return serial_fib(n - 1) + serial_fib(n - 2);
}

std::int64_t serial(const problem& p) { return serial_fib(p.n); }

// On tine, in the combining form of par.

[[gnu::noinline]] std::int64_t managed_fib(std::int64_t n) {
  if (n < 2) return n;
  return tine::par([=] { return managed_fib(n - 1); }, [=] { return managed_fib(n - 2); }, std::plus<>{});
}

std::int64_t managed(const problem& p) { return managed_fib(p.n); }

// On tine, in the form of par that returns both results.

[[gnu::noinline]] std::int64_t managed_pair_fib(std::int64_t n) {
  if (n < 2) return n;
  const auto [a, b] = tine::par([=] { return managed_pair_fib(n - 1); }, [=] { return managed_pair_fib(n - 2); });
  return a + b;
}

std::int64_t managed_pair(const problem& p) { return managed_pair_fib(p.n); }

// On tine's coroutines: one branch is forked, the other called.

tine::task<std::int64_t> coro_fib(std::int64_t n) {
  if (n < 2) co_return n;
  std::int64_t a;
  co_await tine::fork<coro_fib>(&a, n - 1);
  const std::int64_t b = co_await tine::call<coro_fib>(n - 2);
  co_await tine::join;
  co_return a + b;
}

std::int64_t coro(const problem& p) { return tine::run(coro_fib, p.n); }

}  // namespace

program describe_program() {
  static experiment<problem, std::int64_t> e;
  return {
      .name = "fib",
      .description = "Fibonacci numbers by the doubly recursive definition.",
      .add_options = [](options& o) { o.number("--n", e.problem.n, {0, largest_n}, "Which number"); },
      .params = [] { return parameters{{"n", e.problem.n}}; },
      .variants = {e.by("serial", runtime_kind::serial, serial), e.by("managed", runtime_kind::tine, managed),
                   e.by("managed_pair", runtime_kind::tine, managed_pair), e.by("coro", runtime_kind::tine_tasks, coro),
                   e.by("tbb", runtime_kind::tbb, tbb), e.by("openmp", runtime_kind::openmp, openmp)},
      .examine = []() -> finding {
        const std::int64_t right = expected(e.problem.n);
        if (e.answer == right) return {e.answer, ""};
        return {e.answer, format("fib({}) is {}, not {}", e.problem.n, right, e.answer)};
      },
  };
}

}  // namespace bench
