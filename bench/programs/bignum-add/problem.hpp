// c = a + b for integers of many megabytes.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench::bignum_add {

/// A digit in base 2⁶⁴. The first digit of a number is the least significant one.
using limb = std::uint64_t;

constexpr std::size_t default_n = 40'000'000;
constexpr std::size_t large_n = 60'000'000;
constexpr std::size_t largest_n = 110'000'000;

struct problem {
  std::size_t n = default_n;  ///< limbs of a and of b
  std::vector<limb> a;
  std::vector<limb> b;
  std::vector<limb> c;  ///< the lowest n limbs of the sum
  limb carry = 0;       ///< the limb above those of c

  /// Makes the summands if `n` has changed since the last call, and clears the sum.
  void reset();

  /// Returns true if the sum is right, that is if c - b, with the carry as c's highest limb, is a.
  bool sum_is_right() const;
};

/// c = a + b, limb by limb; returns the carry. Unrolled, because the carry stays in the processor's flag only inside of one
/// iteration.
[[gnu::always_inline]] inline bool add_limbs(const limb* a, const limb* b, limb* c, std::size_t limbs) {
  unsigned char carry = 0;
#pragma clang loop unroll_count(16)
  for (std::size_t i = 0; i < limbs; ++i) {
    unsigned long long sum;
    carry = _addcarry_u64(carry, a[i], b[i], &sum);
    c[i] = sum;
  }
  return carry != 0;
}

void serial(problem& p);
void managed(problem& p);
void tuned(problem& p);
void dac(problem& p);
[[gnu::weak]] void tbb(problem& p);
[[gnu::weak]] void openmp(problem& p);

}  // namespace bench::bignum_add
