// A[i] = f(i), where f takes about a microsecond and touches no memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace bench {

constexpr std::size_t default_n = 400'000;
constexpr std::size_t largest_n = 100'000'000;

constexpr int steps = 400;
constexpr std::uint64_t factor = 0x5851f42d4c957f2d;

/// Computes a chain of steps of a multiplicative hash. Without the xor a step would be linear, and the compiler would
/// combine many steps into one.
[[gnu::always_inline]] inline std::uint64_t hash_of(std::uint64_t x) {
  for (int i = 0; i < steps; ++i) x = (x ^ x >> 32) * factor;
  return x;
}

struct problem {
  std::size_t n = default_n;
  std::vector<std::uint64_t> a;

  /// Clears A.
  void reset() { a.assign(n, 0); }

  std::uint64_t answer() const { return std::accumulate(a.begin(), a.end(), std::uint64_t{0}); }
  /// Returns a description of the mistake in A, or "": undoes all steps.
  std::string mistake() const;
};

template <class Loops>
void solve(problem& p, const Loops& loops) {
  loops.for_each(std::size_t{0}, p.n, [a = p.a.data()](std::size_t i) { a[i] = hash_of(i); });
}

}  // namespace bench
