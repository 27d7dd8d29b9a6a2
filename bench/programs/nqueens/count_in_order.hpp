// The search without forks, for the variants that fork nowhere or only near the root.
#pragma once

#include "programs/nqueens/problem.hpp"

namespace bench::nqueens {

/// Counts the solutions that extend the queens in the first `column` columns.
template <int N>
[[gnu::noinline]] std::int64_t count_in_order(const board<N>& b, int column) {
  if (column == N) return 1;
  std::int64_t solutions = 0;
  for (int row = 0; row < N; ++row) {
    board<N> next = b;
    next.place(column, row);
    if (peaceful(next, column + 1)) solutions += count_in_order(next, column + 1);
  }
  return solutions;
}

}  // namespace bench::nqueens
