// nqueens on tine: forks at every peaceful square; one branch takes this square, the other all the following ones.
#include "programs/nqueens/problem.hpp"

#include <tine/tine.hpp>

#include <functional>

namespace bench::nqueens {
namespace {

template <int N>
std::int64_t count(const board<N>& b, int column);

/// Counts the solutions with a queen in `column` at `row` or after it. Forks form a chain, the first square against the rest,
/// and cost one fork for each peaceful square; halving the rows would fork for the other squares, too.
template <int N>
[[gnu::noinline]] std::int64_t count_from(const board<N>& b, int column, int row) {
  for (; row < N; ++row) {
    board<N> next = b;
    next.place(column, row);
    if (!peaceful(next, column + 1)) continue;
    return tine::par([&next, column] { return count(next, column + 1); },
                     [&b, column, row] { return count_from(b, column, row + 1); }, std::plus<>{});
  }
  return 0;
}

template <int N>
[[gnu::noinline]] std::int64_t count(const board<N>& b, int column) {
  if (column == N) return 1;
  return count_from(b, column, 0);
}

}  // namespace

std::int64_t managed(const problem& p) {
  return with_size(p.n, []<int N>() { return count<N>({}, 0); });
}

}  // namespace bench::nqueens
