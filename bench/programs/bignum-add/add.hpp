// Parallel addition: adds all blocks as if no carry came into them, then corrects the blocks that a carry does come into.
#pragma once

#include "programs/bignum-add/problem.hpp"

#include <algorithm>
#include <vector>

namespace bench::bignum_add {

constexpr std::size_t block = 4096;  ///< limbs

/// The carry that leaves a block to the next one.
enum class carry_out : unsigned char { none, one, as_came_in };

/// Returns the carry that leaves a block which was added with no carry into it and left `carry`. A carry passes through a
/// block only if all bits of the block are ones; in most other blocks the first limb already shows that they are not.
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

/// Replaces the carry that leaves each block by the carry that comes into it, and returns the carry that leaves the last
/// block. Not parallel: it takes a thousandth of the time.
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
void add(problem& p, const Loops& loops) {
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

}  // namespace bench::bignum_add
