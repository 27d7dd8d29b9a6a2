// B[i] = 3·A[i] + 1 over large arrays: a loop that does nothing but move memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

constexpr std::size_t default_n = 40'000'000;
constexpr std::size_t large_n = 90'000'000;
constexpr std::size_t largest_n = 180'000'000;

[[gnu::always_inline]] inline std::uint64_t image_of(std::uint64_t x) { return 3 * x + 1; }

struct problem {
  std::size_t n = default_n;
  std::vector<std::uint64_t> a;
  std::vector<std::uint64_t> b;

  /// Makes A if `n` has changed since the last call, and clears B.
  void reset();

  /// Returns true if B is right. Neighbours in A are a constant apart, so neighbours in B must be three times as far
  /// apart.
  bool image_is_right() const;
};

}  // namespace bench
