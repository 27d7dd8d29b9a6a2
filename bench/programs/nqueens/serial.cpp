// nqueens without forks.
#include "programs/nqueens/problem.hpp"

namespace bench::nqueens {
namespace {

template <int N>
[[gnu::noinline]] std::int64_t count(const board<N>& b, int column) {
  if (column == N) return 1;
  std::int64_t solutions = 0;
  for (int row = 0; row < N; ++row) {
    board<N> next = b;
    next.place(column, row);
    if (peaceful(next, column + 1)) solutions += count(next, column + 1);
  }
  return solutions;
}

}  // namespace

std::int64_t serial(const problem& p) {
  return with_size(p.n, []<int N>() { return count<N>({}, 0); });
}

}  // namespace bench::nqueens
