// c = a + b for integers of many megabytes.
#pragma once

#include <immintrin.h>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace bench {

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

  limb answer() const { return std::accumulate(c.begin(), c.end(), carry); }
  /// Returns a description of the mistake in the sum, or "". The sum is right if c - b, with the carry as c's highest
  /// limb, is a.
  std::string mistake() const;
};

/// c = a + b, limb by limb; returns the carry. Unrolled, because the carry stays in the processor's flag only inside of
/// one iteration.
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

// Parallel addition: adds all blocks as if no carry came into them, then corrects the blocks that a carry does come
// into.

constexpr std::size_t block = 4096;  ///< limbs

/// The carry that leaves a block to the next one.
enum class carry_out : unsigned char { none, one, as_came_in };

/// Returns the carry that leaves a block which was added with no carry into it and left `carry`. A carry passes through
/// a block only if all bits of the block are ones; in most other blocks the first limb already shows that they are not.
[[gnu::always_inline]] inline carry_out carry_out_of(const limb* c, std::size_t limbs, bool carry) {
  if (carry) return carry_out::one;
  for (std::size_t i = 0; i < limbs; ++i)
    if (c[i] != ~limb{0}) return carry_out::none;
  return carry_out::as_came_in;
}

/// Adds one to a block. Nearly always the carry ends in the first limb.
[[gnu::always_inline]] inline void increment(limb* c, std::size_t limbs) {
  for (std::size_t i = 0; i < limbs; ++i)
    if (++c[i] != 0) return;
}

/// Replaces the carry that leaves each block by the carry that comes into it, and returns the carry that leaves the
/// last block. Not parallel: it takes a thousandth of the time.
inline bool carry_through(std::vector<carry_out>& blocks) {
  bool carry = false;
  for (carry_out& each : blocks) {
    const bool next = each == carry_out::one || (carry && each == carry_out::as_came_in);
    each = carry ? carry_out::one : carry_out::none;
    carry = next;
  }
  return carry;
}

template <class Loops>
void solve(problem& p, const Loops& loops) {
  const auto limbs_of = [n = p.n](std::size_t k) { return std::min(block, n - k * block); };
  std::vector<carry_out> carries((p.n + block - 1) / block);

  loops.for_each(std::size_t{0}, carries.size(),
                 [=, a = p.a.data(), b = p.b.data(), c = p.c.data(), to = carries.data()](std::size_t k) {
                   const std::size_t first = k * block, limbs = limbs_of(k);
                   const bool carry = add_limbs(a + first, b + first, c + first, limbs);
                   to[k] = carry_out_of(c + first, limbs, carry);
                 });
  p.carry = carry_through(carries);
  loops.for_each(std::size_t{0}, carries.size(), [=, c = p.c.data(), into = carries.data()](std::size_t k) {
    if (into[k] == carry_out::one) increment(c + k * block, limbs_of(k));
  });
}

}  // namespace bench
