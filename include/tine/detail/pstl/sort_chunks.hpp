// Sorts of standard algorithms: tine's own, without concepts, because the standard's comparisons and iterators need not
// satisfy these. Workers sort subranges at the same time.
#pragma once

#include <tine/detail/algo/least_items.hpp>
#include <tine/detail/algo/merge_sort.hpp>
#include <tine/detail/algo/monotone.hpp>
#include <tine/detail/algo/quicksort.hpp>
#include <tine/detail/algo/select_nth.hpp>
#include <tine/detail/pstl/const_callable.hpp>
#include <tine/detail/pstl/in_chunks.hpp>
#include <tine/detail/pstl/stop_guard.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace tine::detail::pstl {

/// As std::stable_sort.
template <class It, class Compare>
void stable_sort_items(It first, It last, const Compare& compare) {
  const auto begin = plain_iterator(first), end = plain_iterator(last);
  const auto less = order_of(compare);
  if (!order_if_monotone<true>(begin, end, less)) merge_sort(begin, end, less);
}

/// As std::partial_sort.
template <class It, class Compare>
void partial_sort_items(It first, It middle, It last, const Compare& compare) {
  constexpr std::uint64_t few = 16;  // as in tine::partial_sort
  const std::uint64_t n = length_of(first, last), m = length_of(first, middle);
  if (m == 0) return;
  const auto begin = plain_iterator(first), wanted = plain_iterator(middle);
  const auto less = order_of(compare);
  if (m * static_cast<std::uint64_t>(64 - std::countl_zero(m)) <= n / few) {
    move_least_items(begin, m, n, less);
  } else if (m != n) {
    select_nth(begin, wanted, plain_iterator(last), less);
  }
  sort_range(begin, wanted, less);
}

/// The back end's sort of the first `keep` items; 0: of all. Calls `leaf_sort(i, j, compare)` for subranges that
/// together are [first, last), because libstdc++'s std::partial_sort_copy starts the items' lifetimes there. Then sorts
/// the items as a whole. (Only temporary policies come here.)
template <class It, class Compare, class SortLeaf>
void sort_chunks(It first, It last, const Compare& compare, const SortLeaf& leaf_sort, std::size_t keep) {
  const stop_guard whole;
  for_chunks(first, last, [&](It i, It j) { call(leaf_sort, i, j, compare); });
  if (keep == 0 || keep == length_of(first, last)) {
    stable_sort_items(first, last, compare);
  } else {
    partial_sort_items(first, nth_item(first, keep), last, compare);
  }
}

}  // namespace tine::detail::pstl
