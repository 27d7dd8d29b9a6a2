// Quickselect with parallel partitions. Workers partition disjoint subranges of one range in place.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/choose_pivot.hpp>
#include <tine/detail/algo/heap.hpp>
#include <tine/detail/algo/partition_range.hpp>
#include <tine/detail/algo/small_sort.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>

namespace tine::detail {

template <class It, class Less>
void select_nth(It first, const It& nth, It last, const Less& less);

/// Returns an item that is probably a little farther from the nearer end than `nth` in the order of the range, so that
/// a partition by it leaves few items on the side of `nth`, or many on the other one. It is selected from a sample of
/// about n^(2/3) / 2 items, which are moved to the begin of the range (Floyd and Rivest).
template <class It, class Less>
It sampled_pivot(const It& first, const It& nth, const It& last, const Less& less) {
  const auto n = static_cast<double>(last - first), rank = static_cast<double>(nth - first) / n;
  const double size = std::cbrt(n) * std::cbrt(n) / 2;
  const double margin = std::sqrt(std::log(n) * size * std::max(rank * (1 - rank), 1 / size)) / 2;
  const auto sampled = static_cast<std::iter_difference_t<It>>(size), step = (last - first) / sampled;
  for (std::iter_difference_t<It> k = 1; k < sampled; ++k) std::ranges::iter_swap(first + k, first + k * step);
  const double wanted = rank * size + (rank < 0.5 ? margin : -margin);
  const auto place =
      first + std::clamp<std::iter_difference_t<It>>(static_cast<std::iter_difference_t<It>>(wanted), 0, sampled - 1);
  select_nth(first, place, first + sampled, less);
  return place;
}

/// Moves the items so that the one at `nth` is the one of the sorted range, no item before it is greater, and no item
/// behind it is less.
template <class It, class Less>
void select_nth(It first, const It& nth, It last, const Less& less) {
  constexpr std::iter_difference_t<It> least_sampled = 2000;
  int bad_pivots_left = 2 * static_cast<int>(std::bit_width(length_of(first, last)));
  bool has_pivot_before = false;
  while (last - first > most_small_items<It>) {
    if (bad_pivots_left-- == 0) return heap_sort(first, last, less);
    const auto n = last - first;
    std::ranges::iter_swap(first,
                           n < least_sampled ? choose_pivot(first, last, less) : sampled_pivot(first, nth, last, less));
    if (has_pivot_before && !less(*(first - 1), *first)) {
      // No item of the range is less than the pivot, because it equals the pivot before the range.
      first = partition_equal_to_first(first, last, less);
      if (nth < first) return;
      continue;
    }
    const It middle = partition_by_first(first, last, less).middle;
    if (nth == middle) return;
    if (nth < middle) {
      last = middle;
    } else {
      first = middle + 1;
      has_pivot_before = true;
    }
    if (last - first <= n - n / 4) ++bad_pivots_left;
  }
  small_sort(first, last, less);
}

}  // namespace tine::detail
