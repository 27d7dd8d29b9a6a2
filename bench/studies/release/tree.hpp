// Sets of ranks as trees that share what they have in common. The rank's bits are the way to its leaf, so every tree over the
// same ranks has the same shape, and is balanced.
#pragma once

#include "studies/release/node.hpp"

#include <span>

namespace bench::release {

/// The ranks `low` up to `low + width`, a power of two.
struct extent {
  rank low, width;

  rank middle() const noexcept { return low + width / 2; }
  extent lower() const noexcept { return {low, width / 2}; }
  extent upper() const noexcept { return {middle(), width / 2}; }
};

/// `t`, which covers `all`, and `more`, which are sorted and not in it. The new tree shares with `t` what has none of `more`
/// in it; the way to the others is new.
const node* with(const node* t, std::span<const rank> more, extent all);

/// How many ranks below `bound` are in `t`.
std::uint32_t count_below(const node* t, rank bound, extent all);

}  // namespace bench::release
