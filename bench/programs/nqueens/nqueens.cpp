// nqueens: its variants on tine and without forks, its parameters, and the check of its answer.
#include "problem.hpp"

#include "harness/divide.hpp"
#include "harness/program.hpp"

#include <tine/coro.hpp>
#include <tine/tine.hpp>

#include <bit>
#include <functional>
#include <numeric>

namespace bench {

// The search without forks, for the variants that fork nowhere or only near the root.

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

// The search with forks in the first columns, by divide and conquer over the squares of each.

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

namespace {

// Without forks.

void serial(problem& p) {
  p.answer = with_size(p.n, []<int N>() { return count_in_order<N>({}, 0); });
}

// On tine: forks at every peaceful square; one branch takes this square, the other all the following ones.

template <int N>
std::int64_t managed_count(const board<N>& b, int column);

/// Counts the solutions with a queen in `column` at `row` or after it. Forks form a chain, the first square against the
/// rest, and cost one fork for each peaceful square; halving the rows would fork for the other squares, too.
template <int N>
[[gnu::noinline]] std::int64_t managed_count_from(const board<N>& b, int column, int row) {
  for (; row < N; ++row) {
    board<N> next = b;
    next.place(column, row);
    if (!peaceful(next, column + 1)) continue;
    return tine::par([&next, column] { return managed_count(next, column + 1); },
                     [&b, column, row] { return managed_count_from(b, column, row + 1); }, std::plus<>{});
  }
  return 0;
}

template <int N>
[[gnu::noinline]] std::int64_t managed_count(const board<N>& b, int column) {
  if (column == N) return 1;
  return managed_count_from(b, column, 0);
}

void managed(problem& p) {
  p.answer = with_size(p.n, []<int N>() { return managed_count<N>({}, 0); });
}

// On tine with tasks of a chosen size: forks in the first columns only.

/// Makes some thousands of tasks for 13 queens, of a hundred microseconds each.
constexpr int forked_columns = 4;

void tuned(problem& p) {
  p.answer = with_size(p.n, []<int N>() { return count_divided<N, forked_columns>({}, 0); });
}

// On tine as divide and conquer over the squares of every column, peaceful or not.

void dac(problem& p) {
  p.answer = with_size(p.n, []<int N>() { return count_divided<N, N>({}, 0); });
}

// On tine's coroutines: a fork for every peaceful square.

/// Returns the rows of `column` where a queen would be peaceful, one bit for each. It is a plain function, because
/// variables that live over a fork are kept in the coroutine's frame, and the comparisons are faster in registers.
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
tine::task<std::int64_t> coro_count(board<N> b, int column) {
  if (column == N) co_return 1;
  std::array<std::int64_t, N> solutions;
  std::int64_t* end = solutions.data();
  for (unsigned rows = peaceful_rows(b, column); rows != 0; rows &= rows - 1) {
    board<N> next = b;
    next.place(column, std::countr_zero(rows));
    co_await tine::fork<coro_count<N>>(end++, next, column + 1);
  }
  co_await tine::join;
  co_return std::accumulate(solutions.data(), end, std::int64_t{0});
}

void coro(problem& p) {
  p.answer = with_size(p.n, []<int N>() { return tine::run(coro_count<N>, board<N>{}, 0); });
}

}  // namespace

std::string problem::mistake() const {
  const std::int64_t right = expected(n);
  return answer == right ? "" : format("{} queens have {} solutions, not {}", n, right, answer);
}

program describe_program() {
  static problem p;
  program it{
      .name = "nqueens",
      .description = "Counts the ways to place n queens on an n by n board so that none attacks another.",
      .add_options = [](options& o) { o.number("--n", p.n, {smallest_n, largest_n}, "Queens"); },
  };
  return completed<problem>(std::move(it), p,
                            {{"serial", runtime_kind::serial, serial},
                             {"managed", runtime_kind::tine, managed},
                             {"heartbeat", runtime_kind::tine_heartbeat, managed},
                             {"tuned", runtime_kind::tine_eager, tuned},
                             {"dac", runtime_kind::tine, dac},
                             {"coro", runtime_kind::tine_tasks, coro},
                             {"tbb", runtime_kind::tbb, tbb},
                             {"openmp", runtime_kind::openmp, openmp}});
}

}  // namespace bench
