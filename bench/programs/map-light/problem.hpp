// B[i] = 3·A[i] + 1 over large arrays: a loop that does nothing but move memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
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

  std::uint64_t answer() const { return std::accumulate(b.begin(), b.end(), std::uint64_t{0}); }
  /// Returns a description of the mistake in B, or "". Neighbours in A are a constant apart, so neighbours in B must be
  /// three times as far apart.
  std::string mistake() const;
};

template <class Loops>
void solve(problem& p, const Loops& loops) {
  loops.for_each(std::size_t{0}, p.n, [a = p.a.data(), b = p.b.data()](std::size_t i) { b[i] = image_of(a[i]); });
}

}  // namespace bench
