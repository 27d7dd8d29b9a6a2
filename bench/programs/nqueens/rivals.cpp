// nqueens on oneTBB and OpenMP: a task for every peaceful square.
#include "problem.hpp"

#include "harness/loops/openmp_loops.hpp"

#include <numeric>

namespace bench {
namespace {

template <class Tasks, int N>
[[gnu::noinline]] std::int64_t count(const board<N>& b, int column) {
  if (column == N) return 1;
  std::array<std::int64_t, N> solutions{};
  Tasks squares;
  for (int row = 0; row < N; ++row) {
    board<N> next = b;
    next.place(column, row);
    if (!peaceful(next, column + 1)) continue;
    squares.run(
        [next, column, &here = solutions[static_cast<std::size_t>(row)]] { here = count<Tasks, N>(next, column + 1); });
  }
  squares.wait();
  return std::accumulate(solutions.begin(), solutions.end(), std::int64_t{0});
}

}  // namespace

void tbb(problem& p) {
  p.answer = with_size(p.n, []<int N>() { return count<tbb_group, N>({}, 0); });
}

void openmp(problem& p) {
  p.answer = with_size(p.n, []<int N>() { return count<openmp_group, N>({}, 0); });
}

}  // namespace bench
