// nth_element: the item that sorting would bring to a place, and a partition by it.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/projected_less.hpp>
#include <tine/detail/algo/select_nth.hpp>

#include <functional>
#include <iterator>
#include <utility>

namespace tine {

/// Moves the items in [first, last), possibly in parallel, so that the item at `nth` is the one that sorting by `comp`
/// on projections would bring there, no item before it is greater, and no item behind it is less. Returns the end. As
/// `std::ranges::nth_element`: the order of both parts may differ from run to run.
///
/// Work O(n), span O(log^2 n) but for improbable inputs, no memory; about n + min(k, n - k) comparisons, k being the
/// position of `nth`. If pivots are bad too often, one worker sorts the rest of the range with a heap, in O(n log n).
/// `comp` and `proj` are called as const, on several workers at once. If they throw, or the strand is stopped, all
/// items are in the range, in some order.
///
/// Source: quickselect with pivots from samples (Floyd–Rivest 1975).
template <std::random_access_iterator It, std::sentinel_for<It> End, class Comp = std::ranges::less,
          class Proj = std::identity>
  requires std::sortable<It, Comp, Proj>
It nth_element(It first, It nth, End last, Comp comp = {}, Proj proj = {}) {
  static_assert(detail::check_iterators<It, End>());
  using key = std::indirect_result_t<Proj&, It>;
  static_assert(detail::check_callable<Comp, key, key>() && detail::check_callable<Proj, std::iter_reference_t<It>>());
  const It end = detail::nth_item(first, detail::items_between(first, last));
  const detail::projected_less less{std::move(comp), std::move(proj)};
  if (nth != end)
    detail::select_nth(detail::plain_iterator(first), detail::plain_iterator(nth), detail::plain_iterator(end), less);
  return end;
}

/// As `nth_element(first, nth, last, comp, proj)`, for a range.
template <std::ranges::random_access_range R, class Comp = std::ranges::less, class Proj = std::identity>
  requires std::sortable<std::ranges::iterator_t<R>, Comp, Proj>
std::ranges::borrowed_iterator_t<R> nth_element(R&& r, std::ranges::iterator_t<R> nth, Comp comp = {}, Proj proj = {}) {
  static_assert(detail::check_range<R>());
  return tine::nth_element(std::ranges::begin(r), std::move(nth), std::ranges::end(r), std::move(comp),
                           std::move(proj));
}

}  // namespace tine
