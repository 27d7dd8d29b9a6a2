// Sets of ranks as trees that share common parts. The bits of a rank are the path to its leaf, so every tree over the
// same ranks has the same shape, and is balanced.
#pragma once

#include "studies/release/node.hpp"

#include <span>

namespace bench::release {

/// The ranks from `low` to before `low + width`. `width` is a power of two.
struct extent {
  rank low, width;

  rank middle() const noexcept { return low + width / 2; }
  extent lower() const noexcept { return {low, width / 2}; }
  extent upper() const noexcept { return {middle(), width / 2}; }
};

/// Returns the tree of the ranks in `t`, which covers `all`, and of the ranks `more`, which are sorted and not in `t`.
/// The new tree shares with `t` the parts without any of `more`; the nodes on the paths to `more` are new.
const node* with(const node* t, std::span<const rank> more, extent all);

/// Returns the number of ranks below `bound` in `t`.
std::uint32_t count_below(const node* t, rank bound, extent all);

}  // namespace bench::release
