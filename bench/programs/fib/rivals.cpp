// fib on oneTBB and OpenMP.
#include "problem.hpp"

#include <tbb/task_group.h>

namespace bench {
namespace {

// On oneTBB.

[[gnu::noinline]] std::int64_t tbb_fib(std::int64_t n) {
  if (n < 2) return n;
  std::int64_t a = 0;
  ::tbb::task_group forked;
  forked.run([&a, n] { a = tbb_fib(n - 1); });
  const std::int64_t b = tbb_fib(n - 2);
  forked.wait();
  return a + b;
}

// On OpenMP tasks.

[[gnu::noinline]] std::int64_t openmp_fib(std::int64_t n) {
  if (n < 2) return n;
  std::int64_t a = 0;
#pragma omp task default(none) shared(a) firstprivate(n)
  a = openmp_fib(n - 1);
  const std::int64_t b = openmp_fib(n - 2);
#pragma omp taskwait
  return a + b;
}

}  // namespace

std::int64_t tbb(const problem& p) { return tbb_fib(p.n); }
std::int64_t openmp(const problem& p) { return openmp_fib(p.n); }

}  // namespace bench
