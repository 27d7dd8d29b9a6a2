// fib on oneTBB.
#include "programs/fib/problem.hpp"

#include <tbb/task_group.h>

namespace bench::fib {
namespace {

[[gnu::noinline]] std::int64_t fib(std::int64_t n) {
  if (n < 2) return n;
  std::int64_t a = 0;
  ::tbb::task_group forked;
  forked.run([&a, n] { a = fib(n - 1); });
  const std::int64_t b = fib(n - 2);
  forked.wait();
  return a + b;
}

}  // namespace

std::int64_t tbb(const problem& p) { return fib(p.n); }

}  // namespace bench::fib
