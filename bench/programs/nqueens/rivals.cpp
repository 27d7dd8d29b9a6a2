// nqueens on oneTBB and OpenMP.
#include "problem.hpp"

#include <numeric>
#include <tbb/task_group.h>

namespace bench {
namespace {

// On oneTBB: a task for every peaceful square.

template <int N>
[[gnu::noinline]] std::int64_t tbb_count(const board<N>& b, int column) {
  if (column == N) return 1;
  std::array<std::int64_t, N> solutions{};
  ::tbb::task_group squares;
  for (int row = 0; row < N; ++row) {
    board<N> next = b;
    next.place(column, row);
    if (!peaceful(next, column + 1)) continue;
    squares.run(
        [next, column, &here = solutions[static_cast<std::size_t>(row)]] { here = tbb_count(next, column + 1); });
  }
  squares.wait();
  return std::accumulate(solutions.begin(), solutions.end(), std::int64_t{0});
}

// On OpenMP: a task for every peaceful square.

template <int N>
[[gnu::noinline]] std::int64_t openmp_count(const board<N>& b, int column) {
  if (column == N) return 1;
  std::array<std::int64_t, N> solutions{};
  for (int row = 0; row < N; ++row) {
    board<N> next = b;
    next.place(column, row);
    if (!peaceful(next, column + 1)) continue;
#pragma omp task default(none) shared(solutions) firstprivate(next, column, row)
    solutions[static_cast<std::size_t>(row)] = openmp_count(next, column + 1);
  }
#pragma omp taskwait
  return std::accumulate(solutions.begin(), solutions.end(), std::int64_t{0});
}

}  // namespace

std::int64_t tbb(const problem& p) {
  return with_size(p.n, []<int N>() { return tbb_count<N>({}, 0); });
}

std::int64_t openmp(const problem& p) {
  return with_size(p.n, []<int N>() { return openmp_count<N>({}, 0); });
}

}  // namespace bench
