// Quicksort whose partitions and branches are parallel. Workers sort disjoint subranges of one range in place.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/choose_pivot.hpp>
#include <tine/detail/algo/fork_both.hpp>
#include <tine/detail/algo/heap.hpp>
#include <tine/detail/algo/monotone.hpp>
#include <tine/detail/algo/partition_range.hpp>
#include <tine/detail/algo/small_sort.hpp>

#include <bit>
#include <cstdint>
#include <iterator>

namespace tine::detail {

/// The knowledge of a branch of quicksort about its range.
struct sort_hints {
  unsigned bad_pivots_left;   ///< number of bad pivots until the branch sorts by a heap
  bool has_pivot_before : 1;  ///< the item before the range is a pivot: no item of the range is less
  bool may_be_sorted : 1;     ///< the partition that made the range moved no item
};

/// Swaps a few items of a range to other places, because a bad pivot shows a pattern in it.
template <class It>
void break_pattern(const It& first, const It& last) {
  const auto n = last - first, quarter = n / 4;
  if (n <= most_small_items<It>) return;
  std::ranges::iter_swap(first, first + quarter);
  std::ranges::iter_swap(last - 1, last - 1 - quarter);
  if (n > 128) {
    for (int k = 1; k <= 2; ++k) {
      std::ranges::iter_swap(first + k, first + quarter + k);
      std::ranges::iter_swap(last - 1 - k, last - 1 - quarter - k);
    }
  }
}

/// Sorts a range. Its second branch is the last call, so that the compiler makes a loop of it.
template <class It, class Less>
void quicksort(It first, It last, const Less& less, sort_hints hints) {
  while (last - first > most_small_items<It>) {
    if (hints.may_be_sorted && insertion_sort_if_nearly_sorted(first, last, less)) return;
    if (hints.bad_pivots_left == 0) return heap_sort(first, last, less);
    std::ranges::iter_swap(first, choose_pivot(first, last, less));
    if (hints.has_pivot_before && !less(*(first - 1), *first)) {
      // The pivot equals the pivot before the range, which no item is less than: all items equal to it are at their
      // place after one partition.
      first = partition_equal_to_first(first, last, less);
      hints.may_be_sorted = false;
      continue;
    }
    const auto [middle, moved] = partition_by_first(first, last, less);
    const auto left = middle - first, right = last - middle - 1;
    sort_hints left_hints = hints;
    left_hints.may_be_sorted = hints.may_be_sorted = !moved;
    hints.has_pivot_before = true;
    if (std::min(left, right) < (last - first) / 8) {
      left_hints.bad_pivots_left = --hints.bad_pivots_left;
      break_pattern(first, middle);
      break_pattern(middle + 1, last);
    }
    return fork_both([&, end = middle] { quicksort(first, end, less, left_hints); },
                     [&, begin = middle + 1] { quicksort(begin, last, less, hints); });
  }
  small_sort(first, last, less);
}

/// Sorts a range by quicksort; a range that is in order, or in the reverse order, takes one loop.
template <class It, class Less>
void sort_range(It first, It last, const Less& less) {
  const std::uint64_t n = length_of(first, last);
  if (n < 2 || order_if_monotone<false>(first, last, less)) return;
  quicksort(first, last, less, {static_cast<unsigned>(std::bit_width(n)), false, false});
}

}  // namespace tine::detail
