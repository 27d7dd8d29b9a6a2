// partial_sort: moves the least items of a range to its front, in order.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/least_items.hpp>
#include <tine/detail/algo/monotone.hpp>
#include <tine/detail/algo/projected_less.hpp>
#include <tine/detail/algo/quicksort.hpp>
#include <tine/detail/algo/select_nth.hpp>

#include <bit>
#include <functional>
#include <iterator>
#include <utility>

namespace tine {

/// Moves the `middle - first` least items in [first, last) to the front, sorted by `comp` on projections, possibly in
/// parallel, and returns the end. As `std::ranges::partial_sort`: the order of equal items, and of the items behind
/// `middle`, may differ from run to run.
///
/// With m = `middle - first`: work O(n + m log m) and span O(log^3 n) but for improbable inputs; no memory. Few least
/// items are found by heaps: O(n log m) at most, and O(m log m) for each stolen part, on one worker. `comp` and `proj`
/// are called as const, on several workers at once. If they throw, or the strand is stopped, all items are in the
/// range, in some order.
///
/// Source: a heap of the least items (as std::partial_sort), one for each part; otherwise quickselect (`nth_element`)
/// and quicksort (`sort`).
template <std::random_access_iterator It, std::sentinel_for<It> End, class Comp = std::ranges::less,
          class Proj = std::identity>
  requires std::sortable<It, Comp, Proj>
It partial_sort(It first, It middle, End last, Comp comp = {}, Proj proj = {}) {
  static_assert(detail::check_iterators<It, End>());
  using key = std::indirect_result_t<Proj&, It>;
  static_assert(detail::check_callable<Comp, key, key>() && detail::check_callable<Proj, std::iter_reference_t<It>>());
  constexpr std::uint64_t few = 16;  // below n / 16 steps in heaps, these take less time than partitions
  const std::uint64_t n = detail::items_between(first, last), m = detail::length_of(first, middle);
  const It end = detail::nth_item(first, n);
  const detail::projected_less less{std::move(comp), std::move(proj)};
  const auto begin = detail::plain_iterator(first), wanted = detail::plain_iterator(middle),
             stop = detail::plain_iterator(end);
  if (m == 0) return end;
  if (m * static_cast<std::uint64_t>(64 - std::countl_zero(m)) <= n / few) {
    detail::move_least_items(begin, m, n, less);
  } else {
    if (detail::order_if_monotone<false>(begin, stop, less)) return end;
    if (m != n) detail::select_nth(begin, wanted, stop, less);
  }
  detail::sort_range(begin, wanted, less);
  return end;
}

/// As `partial_sort(first, middle, last, comp, proj)`, for a range.
template <std::ranges::random_access_range R, class Comp = std::ranges::less, class Proj = std::identity>
  requires std::sortable<std::ranges::iterator_t<R>, Comp, Proj>
std::ranges::borrowed_iterator_t<R> partial_sort(R&& r, std::ranges::iterator_t<R> middle, Comp comp = {},
                                                 Proj proj = {}) {
  static_assert(detail::check_range<R>());
  return tine::partial_sort(std::ranges::begin(r), std::move(middle), std::ranges::end(r), std::move(comp),
                            std::move(proj));
}

}  // namespace tine
