// The search with forks in the first columns, by divide and conquer over the squares of each.
#pragma once

#include "harness/divide.hpp"
#include "programs/nqueens/count_in_order.hpp"

#include <functional>

namespace bench::nqueens {

/// Counts the solutions that extend the queens in the first `column` columns. Forks in the first `Columns` columns.
template <int N, int Columns>
std::int64_t count_divided(const board<N>& b, int column) {
  if (column == N) return 1;
  if (column >= Columns) return count_in_order(b, column);
  const auto count_from = [&b, column](int row) -> std::int64_t {
    board<N> next = b;
    next.place(column, row);
    if (!peaceful(next, column + 1)) return 0;
    return count_divided<N, Columns>(next, column + 1);
  };
  return divide_reduce(0, N, single, std::int64_t{0}, count_from, std::plus<>{});
}

}  // namespace bench::nqueens
