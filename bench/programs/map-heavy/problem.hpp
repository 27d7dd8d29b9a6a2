// A[i] = f(i), where f takes about a microsecond and touches no memory.
#pragma once

#include <cstddef>
#include <cstdint>
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

  /// Returns true if A is right: undoes all steps.
  bool hashes_are_right() const;
};

}  // namespace bench
