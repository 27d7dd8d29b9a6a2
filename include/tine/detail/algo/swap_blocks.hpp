// Swaps two ranges that don't overlap, possibly in parallel. A worker swaps disjoint pairs of items.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>
#include <tine/detail/base/macros.hpp>

#include <cstdint>
#include <iterator>

namespace tine::detail {

/// Swaps the `n` items from `a` on with those from `b` on.
template <class It1, class It2>
TINE_ALWAYS_INLINE void swap_blocks(It1 a, It2 b, std::uint64_t n) {
  for_each_chunk(n, [a, b](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
    It2 j = nth_item(b, begin);
    for (It1 i = nth_item(a, begin), stop = nth_item(a, end); i != stop; ++i, ++j) std::ranges::iter_swap(i, j);
  });
}

}  // namespace tine::detail
