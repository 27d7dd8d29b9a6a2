// fib on tine's coroutines: one branch is forked, the other called.
#include "programs/fib/problem.hpp"

#include <tine/coro.hpp>

namespace bench::fib {
namespace {

tine::task<std::int64_t> fib(std::int64_t n) {
  if (n < 2) co_return n;
  std::int64_t a;
  co_await tine::fork<fib>(&a, n - 1);
  const std::int64_t b = co_await tine::call<fib>(n - 2);
  co_await tine::join;
  co_return a + b;
}

}  // namespace

std::int64_t coro(const problem& p) { return tine::run(fib, p.n); }

}  // namespace bench::fib
