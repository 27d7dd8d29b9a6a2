// nqueens on tine's coroutines: a fork for every peaceful square.
#include "programs/nqueens/problem.hpp"

#include <tine/coro.hpp>

#include <bit>
#include <numeric>

namespace bench::nqueens {
namespace {

/// Returns the rows of `column` where a queen would be peaceful, one bit for each. It is a plain function, because variables that
/// live over a fork are kept in the coroutine's frame, and the comparisons are faster in registers.
template <int N>
[[gnu::noinline]] unsigned peaceful_rows(const board<N>& b, int column) {
  board<N> next = b;
  unsigned rows = 0;
  for (int row = 0; row < N; ++row) {
    next.place(column, row);
    if (peaceful(next, column + 1)) rows |= 1u << row;
  }
  return rows;
}

template <int N>
tine::task<std::int64_t> count(board<N> b, int column) {
  if (column == N) co_return 1;
  std::array<std::int64_t, N> solutions;
  std::int64_t* end = solutions.data();
  for (unsigned rows = peaceful_rows(b, column); rows != 0; rows &= rows - 1) {
    board<N> next = b;
    next.place(column, std::countr_zero(rows));
    co_await tine::fork<count<N>>(end++, next, column + 1);
  }
  co_await tine::join;
  co_return std::accumulate(solutions.data(), end, std::int64_t{0});
}

}  // namespace

std::int64_t coro(const problem& p) {
  return with_size(p.n, []<int N>() { return tine::run(count<N>, board<N>{}, 0); });
}

}  // namespace bench::nqueens
