// The least items of a range, in heaps of its first items. Workers have heaps at the begin of their own subranges.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>
#include <tine/detail/algo/heap.hpp>
#include <tine/detail/algo/projected_less.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace tine::detail {

/// A subrange [begin, end), by positions: its `kept` least items are a heap at its begin.
struct heap_part {
  std::uint64_t begin = no_position, end = 0, kept = 0;
};

/// Adds the items up to position `end` to a subrange, which keeps its `most` least items.
template <class It, class Less>
TINE_NOINLINE void extend_heap(heap_part& part, const It& first, std::uint64_t most, std::uint64_t begin,
                               std::uint64_t end, const Less& less) {
  if (part.begin == no_position) part = {begin, begin, 0};
  part.end = end;
  const It top = nth_item(first, part.begin);
  if (part.kept < most) {
    begin = std::min(part.begin + most, end);
    part.kept = begin - part.begin;
    item_heap<It, Less>{top, static_cast<std::iter_difference_t<It>>(part.kept), less}.make();
  }
  const item_heap<It, Less> heap{top, static_cast<std::iter_difference_t<It>>(part.kept), less};
  for (It at = nth_item(first, begin), stop = nth_item(first, end); at != stop; ++at) {
    if (less(*at, *top)) heap.replace_top(at);
  }
}

/// Joins two adjacent subranges: moves the items of the second heap into the first one that are less than its greatest
/// ones.
template <class It, class Less>
void join_heaps(const It& first, std::uint64_t most, heap_part& part, const heap_part& later, const Less& less) {
  if (later.begin == no_position) return;
  if (part.begin == no_position) {
    part = later;
    return;
  }
  // If the first heap is not full, its subrange has no items behind the heap, so that the second heap is adjacent.
  extend_heap(part, first, most, later.begin, later.begin + later.kept, less);
  part.end = later.end;
}

/// Moves the `most` least items of a range to its begin, in any order.
template <class It, class Less>
TINE_ALWAYS_INLINE void move_least_items(const It& first, std::uint64_t most, std::uint64_t n, const Less& less) {
  fold_chunks(
      n, [] { return heap_part{}; },
      [first, most, kept = kept_callable{less}](heap_part& part, std::uint64_t begin, std::uint64_t end)
          TINE_INLINED { extend_heap(part, first, most, begin, end, kept.call); },
      [first, most, &less](heap_part& part, const heap_part& later) { join_heaps(first, most, part, later, less); });
}

}  // namespace tine::detail
