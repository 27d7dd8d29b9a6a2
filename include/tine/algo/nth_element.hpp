// nth_element: brings the item to a place that sorting would bring there, and partitions the range by it.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/projected_less.hpp>
#include <tine/detail/algo/select_nth.hpp>

#include <functional>
#include <iterator>
#include <utility>

namespace tine {
namespace detail {

struct nth_element_function {
  template <std::random_access_iterator It, std::sentinel_for<It> End, class Comp = std::ranges::less,
            class Proj = std::identity>
    requires std::sortable<It, Comp, Proj>
  It operator()(It first, It nth, End last, Comp comp = {}, Proj proj = {}) const {
    static_assert(check_iterators<It, End>());
    using key = std::indirect_result_t<Proj&, It>;
    static_assert(check_callable<Comp, key, key>() && check_callable<Proj, std::iter_reference_t<It>>());
    const It end = nth_item(first, items_between(first, last));
    const projected_less less{std::move(comp), std::move(proj)};
    if (nth != end) select_nth(plain_iterator(first), plain_iterator(nth), plain_iterator(end), less);
    return end;
  }
  template <std::ranges::random_access_range R, class Comp = std::ranges::less, class Proj = std::identity>
    requires std::sortable<std::ranges::iterator_t<R>, Comp, Proj>
  std::ranges::borrowed_iterator_t<R> operator()(R&& r, std::ranges::iterator_t<R> nth, Comp comp = {},
                                                 Proj proj = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::move(nth), std::ranges::end(r), std::move(comp), std::move(proj));
  }
};

}  // namespace detail

/// Moves the items in [first, last), possibly in parallel, so that the item at `nth` is the one that sorting by `comp`
/// on projections would bring there. No item before it is greater, and no item behind it is less. Returns the end. As
/// `std::ranges::nth_element`: the order of both parts may differ from run to run.
///
///     tine::nth_element(first, nth, last, comp = {}, proj = {})
///     tine::nth_element(range, nth, comp = {}, proj = {})
///
/// Work O(n), span O(log^2 n) but for improbable inputs, no memory. It takes about n + min(k, n - k) comparisons, where
/// k is the position of `nth`. If pivots are bad too often, one worker sorts the rest of the range with a heap, in O(n
/// log n). `comp` and `proj` are called as const, on several workers at once. If they throw, or the strand is stopped,
/// all items are in the range, in some order.
///
/// Source: quickselect with pivots from samples (Floyd–Rivest 1975).
inline constexpr detail::nth_element_function nth_element{};

}  // namespace tine
