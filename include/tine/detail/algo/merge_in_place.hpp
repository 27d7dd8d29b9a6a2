// Merging two adjacent runs in their range, through a buffer. Workers merge disjoint subranges.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/merge_sort.hpp>
#include <tine/detail/algo/projected_less.hpp>
#include <tine/detail/algo/raw_buffer.hpp>
#include <tine/detail/algo/skip_before.hpp>
#include <tine/detail/algo/tracked_slots.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <type_traits>

namespace tine::detail {

/// Merges the runs of the `n` items from `first` on, the first of which has `left` items, through `buffer`. If it ends
/// early, all items are in the range.
template <class It, class Less>
void merge_through(std::iter_value_t<It>* buffer, const It& first, std::uint64_t left, std::uint64_t n,
                   const Less& less) {
  if constexpr (std::is_trivially_copyable_v<std::iter_value_t<It>>) {
    move_items(first, buffer, n, move_item{});
    try {
      merge_adjacent(buffer, left, n, first, less, move_item{});
    } catch (...) {
      std::copy(buffer, buffer + n, first);
      throw;
    }
  } else {
    tracked_slots<It> slots{first, buffer, n};
    try {
      slots.move_to_buffer();
      merge_adjacent(buffer, left, n, first, less, slots.noted().to_scratch());
    } catch (...) {
      slots.recover();
      throw;
    }
    slots.end_buffer();
  }
}

/// Merges the sorted runs [first, middle) and [middle, last), with memory for as many items as are not in their places
/// yet. Throws std::bad_alloc.
template <class It, class Less>
void merge_in_place(It first, It middle, It last, const Less& less) {
  if (first == middle || middle == last) return;
  first = skip_before(first, middle, [&](const It& i) { return !less(*middle, *i); });
  if (first == middle) return;
  const It greatest = middle - 1;
  last = skip_before(middle, last, [&](const It& i) { return less(*i, *greatest); });
  const std::uint64_t n = length_of(first, last);
  const raw_buffer<std::iter_value_t<It>> buffer{n};
  merge_through(buffer.begin(), first, length_of(first, middle), n, less);
}

}  // namespace tine::detail
