// nqueens on OpenMP: a task for every peaceful square.
#include "programs/nqueens/problem.hpp"

#include <numeric>

namespace bench::nqueens {
namespace {

template <int N>
[[gnu::noinline]] std::int64_t count(const board<N>& b, int column) {
  if (column == N) return 1;
  std::array<std::int64_t, N> solutions{};
  for (int row = 0; row < N; ++row) {
    board<N> next = b;
    next.place(column, row);
    if (!peaceful(next, column + 1)) continue;
#pragma omp task default(none) shared(solutions) firstprivate(next, column, row)
    solutions[static_cast<std::size_t>(row)] = count(next, column + 1);
  }
#pragma omp taskwait
  return std::accumulate(solutions.begin(), solutions.end(), std::int64_t{0});
}

}  // namespace

std::int64_t openmp(const problem& p) {
  return with_size(p.n, []<int N>() { return count<N>({}, 0); });
}

}  // namespace bench::nqueens
