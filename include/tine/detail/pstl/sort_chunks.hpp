// Sorts and selections of standard algorithms: all items in order, the least ones, or the one that a sort would put at a place.
#pragma once

#include <tine/detail/pstl/merge_sort.hpp>
#include <tine/detail/pstl/partition_chunks.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

namespace tine::detail::pstl {

/// Returns the place of the item in the middle of three.
template <class It, class Compare>
It middle_of(It a, It b, It c, Compare& compare) {
  if (compare(*b, *a)) std::swap(a, b);
  if (compare(*c, *b)) b = compare(*c, *a) ? a : c;
  return b;
}

/// Returns the place of an item near the median: the pseudo-median of nine items.
template <class It, class Compare>
It pivot_of(It first, It last, Compare& compare) {
  const auto step = (last - first) / 9;
  const auto triple = [&](auto k) {
    return middle_of(first + k * step, first + (k + 1) * step, first + (k + 2) * step, compare);
  };
  return middle_of(triple(0), triple(3), triple(6), compare);
}

/// As std::nth_element. After too many partitions that leave most of the items, the standard one runs.
///
/// Source: quickselect (Hoare 1961) with a pseudo-median of nine (Bentley–McIlroy 1993).
template <class It, class Compare>
void select_nth(It first, It nth, It last, Compare compare) {
  constexpr std::ptrdiff_t worth_a_partition = 32768;
  if (nth == last) return;
  const stop_guard whole;
  for (auto left = 2 * std::bit_width(count_of(first, last)); left > 0 && last - first > worth_a_partition; --left) {
    std::iter_swap(first, pivot_of(first, last, compare));
    const It less_end =
        partition_chunks(first + 1, last, [&compare, first](const auto& x) { return call(compare, x, *first); });
    const It pivot = less_end - 1;
    std::iter_swap(first, pivot);
    if (nth < pivot) {
      last = pivot;
      continue;
    }
    if (nth == pivot) return;
    const bool is_balanced = pivot - first >= (last - first) / 8;
    first = less_end;
    if (is_balanced) continue;
    // Few items are less than the pivot, so many may be equal to it.
    const It equal_end =
        partition_chunks(first, last, [&compare, pivot](const auto& x) { return !call(compare, *pivot, x); });
    if (nth < equal_end) return;
    first = equal_end;
  }
  const stop_guard rest;
  std::nth_element(first, nth, last, compare);
}

/// Puts the least `keep` items of [first, last) to its begin, sorted. `leaf_sort(begin, end, compare)` does so for a subrange; it is called once
/// for each item, for subranges of `leaf` items or less.
template <class It, class Compare, class SortLeaf>
void select_least(It first, It last, std::iter_difference_t<It> keep, std::iter_difference_t<It> leaf,
                  const Compare& compare, const SortLeaf& leaf_sort) {
  const auto n = last - first;
  if (n <= leaf) {
    const stop_guard part;
    return static_cast<void>(call(leaf_sort, first, last, compare));
  }
  const It middle = first + n / 2;
  par([&] { select_least(first, middle, keep, leaf, compare, leaf_sort); },
      [&] { select_least(middle, last, keep, leaf, compare, leaf_sort); });
  const stop_guard part;
  const It end = first + keep, later_end = middle + std::min(keep, last - middle);
  It later = middle;
  // An item of the second half replaces the greatest one of the first half as long as it is less.
  It greatest = end;
  while (later != later_end && greatest != first && call(compare, *later, *(greatest - 1))) {
    --greatest;
    std::iter_swap(greatest, later);
    ++later;
  }
  std::sort(first, end, compare);
}

/// The backend's sort. Only the first `keep` items need be sorted; 0 means all. In that case `leaf_sort` leaves a subrange of more items sorted
/// only up to there.
template <class It, class Compare, class SortLeaf>
void sort_chunks(It first, It last, const Compare& compare, const SortLeaf& leaf_sort, std::size_t keep) {
  const auto n = last - first;
  if (n == 0) return;
  const stop_guard whole;
  constexpr std::size_t share = 64;
  if (keep == 0 || keep > static_cast<std::size_t>(n) / share) {
    const auto most = keep == 0 ? sort_leaf : std::min<std::ptrdiff_t>(sort_leaf, static_cast<std::ptrdiff_t>(keep));
    merge_sort(first, last, compare, leaf_sort, most);
  } else {
    const auto leaf = std::max<std::ptrdiff_t>(sort_leaf, static_cast<std::ptrdiff_t>(share * keep));
    select_least(first, last, static_cast<std::iter_difference_t<It>>(keep), leaf, compare, leaf_sort);
  }
}

/// The least items of a subrange, at its begin, with the greatest of them first, as in a heap. If the subrange has no more items than are kept,
/// they are in any order.
template <class It>
struct least_items {
  It begin, end;
};

/// Puts the items of [first, last) that are less than the greatest kept item in the place of that.
template <class It, class Compare>
void take_less(least_items<It> kept, It first, It last, Compare compare) {
  for (; first != last; ++first) {
    if (compare(*first, *kept.begin)) {
      std::pop_heap(kept.begin, kept.end, compare);
      std::iter_swap(first, kept.end - 1);
      std::push_heap(kept.begin, kept.end, compare);
    }
  }
}

/// Lets `kept` have up to `most` items: adds items of [kept.end, last). Returns the end of those that were added. Once there are `most`, they
/// are a heap.
template <class It, class Compare>
It fill_heap(least_items<It>& kept, It last, std::iter_difference_t<It> most, const Compare& compare) {
  const auto missing = most - (kept.end - kept.begin);
  if (missing == 0) return kept.end;
  const bool is_enough = missing <= last - kept.end;
  kept.end = is_enough ? kept.end + missing : last;
  if (is_enough) std::make_heap(kept.begin, kept.end, compare);
  return kept.end;
}

/// As std::partial_sort, for few items: `middle - first` is small.
///
/// Source: selection with a heap, as in libstdc++'s; a reduction of the heaps of several workers.
template <class It, class Compare>
void select_few(It first, It middle, It last, const Compare& compare) {
  using series = least_items<It>;
  const auto most = middle - first;
  fold_chunks(
      count_of(first, last), [first] { return series{first, first}; },
      [first, most, &compare](series& so_far, std::uint64_t begin, std::uint64_t end) TINE_INLINED {
        const stop_guard chunk;
        const It i = index_at(first, begin), j = index_at(first, end);
        if (so_far.begin == so_far.end) so_far = {i, i};
        // While items are missing, the subrange is the kept items, so the chunk begins where they end.
        const It rest = so_far.end - so_far.begin == most ? i : fill_heap(so_far, j, most, compare);
        take_less(so_far, rest, j, compare);
      },
      [most, &compare](series& so_far, series&& later) {
        const stop_guard chunk;
        if (later.begin == later.end) return;
        if (so_far.begin == so_far.end) {
          so_far = later;
          return;
        }
        const bool was_full = so_far.end - so_far.begin == most;
        const It rest = was_full ? later.begin : fill_heap(so_far, later.end, most, compare);
        take_less(so_far, rest, later.end, compare);
      });
  std::sort_heap(first, middle, compare);
}

/// As std::partial_sort.
template <class It, class Compare>
void partial_sort_chunks(It first, It middle, It last, const Compare& compare) {
  if (first == middle) return;
  const stop_guard whole;
  if (middle - first <= (last - first) / 64) return select_few(first, middle, last, compare);
  select_nth(first, middle, last, compare);
  sort_chunks(first, middle, compare, [](It i, It j, const Compare& c) { std::sort(i, j, c); }, 0);
}

}  // namespace tine::detail::pstl
