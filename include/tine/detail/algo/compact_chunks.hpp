// The loop under remove_if and unique: each series moves the items that it keeps to its own begin; series that follow
// each other are put together by moving the kept items of the later one left.
#pragma once

#include <tine/detail/algo/fold_chunks.hpp>
#include <tine/detail/algo/move_left.hpp>

#include <cstdint>

namespace tine::detail {

/// The result of a series: its kept items, in the order of the range, are the `kept` items from `begin` on.
struct compacted {
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  std::uint64_t begin = none;  ///< none: the series has no items
  std::uint64_t kept = 0;
};

/// Runs a compaction over `n` items from `first` on, and returns the number of kept items. `items` has these members,
/// all const:
///
///     void compact(compacted& so_far, begin, end);       // compacts the items from `begin` up to `end` behind the kept ones
///     void meet(const compacted& so_far, compacted& later);  // drops from the begin of `later` what does not stay behind `so_far`
template <class It, class Items>
TINE_ALWAYS_INLINE std::uint64_t compact_chunks(std::uint64_t n, It first, const Items& items) {
  return fold_chunks(
             n, [] { return compacted{}; },
             [items](compacted& so_far, std::uint64_t begin, std::uint64_t end) TINE_INLINED {
               if (begin == end) return;  // the loop is empty
               if (so_far.begin == compacted::none) so_far.begin = begin;
               items.compact(so_far, begin, end);
             },
             [first, &items](compacted& so_far, compacted&& later) {
               if (later.begin == compacted::none) return;
               if (so_far.begin == compacted::none) {
                 so_far = later;
                 return;
               }
               items.meet(so_far, later);
               const std::uint64_t end = so_far.begin + so_far.kept;
               move_left(nth_item(first, later.begin), later.kept, later.begin - end);
               so_far.kept += later.kept;
             })
      .kept;
}

}  // namespace tine::detail
