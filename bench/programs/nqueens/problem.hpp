// The problem nqueens: count the ways in which n queens can stand on an n by n board so that none attacks another.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace bench {

struct problem {
  int n = 13;
  std::int64_t answer = 0;

  std::string mistake() const;
};

constexpr int smallest_n = 4;
constexpr int largest_n = 16;

/// The known answers, from n = 4 on (sequence A000170 of the On-Line Encyclopedia of Integer Sequences).
constexpr std::array<std::int64_t, largest_n - smallest_n + 1> known = {
    2, 10, 4, 40, 92, 352, 724, 2'680, 14'200, 73'712, 365'596, 2'279'184, 14'772'512};

constexpr std::int64_t expected(int n) { return known[static_cast<std::size_t>(n - smallest_n)]; }

/// The rows of the queens in the first columns. The size is rounded up to whole words, so that a copy is one or two
/// moves. Callers copy a board and add a queen in two statements, copy and `place`: a board returned from a function
/// would be copied twice, and the second copy would wait for the byte just stored.
template <int N>
struct board {
  alignas(8) std::array<char, (N + 7) / 8 * 8> row{};

  [[gnu::always_inline]] void place(int column, int in_row) {
    row[static_cast<std::size_t>(column)] = static_cast<char>(in_row);
  }
};

/// Returns true if no two of the first `columns` queens attack each other. Compares all pairs, although only the last
/// queen is new: this benchmark has always done so.
template <int N>
[[gnu::always_inline]] inline bool peaceful(const board<N>& b, int columns) {
  const char* row = b.row.data();
  for (int i = 0; i < columns; ++i) {
    const int p = row[i];
    for (int j = i + 1; j < columns; ++j) {
      const int q = row[j];
      if (q == p || q == p - (j - i) || q == p + (j - i)) return false;
    }
  }
  return true;
}

/// Calls `f.template operator()<N>()` for the N that equals n: the kernels know the size of the board.
template <class F>
std::int64_t with_size(int n, F f) {
  std::int64_t answer = 0;
  [&]<int... I>(std::integer_sequence<int, I...>) {
    ((n == smallest_n + I ? void(answer = f.template operator()<smallest_n + I>()) : void()), ...);
  }(std::make_integer_sequence<int, largest_n - smallest_n + 1>{});
  return answer;
}

// The rivals, which are null in the executable without them.
[[gnu::weak]] void tbb(problem& p);
[[gnu::weak]] void openmp(problem& p);

}  // namespace bench
