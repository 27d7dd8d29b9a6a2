// fib on tine, in the form of par that returns both results.
#include "programs/fib/problem.hpp"

#include <tine/tine.hpp>

namespace bench::fib {
namespace {

[[gnu::noinline]] std::int64_t fib(std::int64_t n) {
  if (n < 2) return n;
  const auto [a, b] = tine::par([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

}  // namespace

std::int64_t managed_pair(const problem& p) { return fib(p.n); }

}  // namespace bench::fib
