// fib on OpenMP tasks.
#include "programs/fib/problem.hpp"

namespace bench::fib {
namespace {

[[gnu::noinline]] std::int64_t fib(std::int64_t n) {
  if (n < 2) return n;
  std::int64_t a = 0;
#pragma omp task default(none) shared(a) firstprivate(n)
  a = fib(n - 1);
  const std::int64_t b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

}  // namespace

std::int64_t openmp(const problem& p) { return fib(p.n); }

}  // namespace bench::fib
