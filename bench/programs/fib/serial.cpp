// fib without forks.
#include "programs/fib/problem.hpp"

namespace bench::fib {
namespace {

[[gnu::noinline]] std::int64_t fib(std::int64_t n) {
  if (n < 2) return n;
  return fib(n - 1) + fib(n - 2);
}

}  // namespace

std::int64_t serial(const problem& p) { return fib(p.n); }

}  // namespace bench::fib
