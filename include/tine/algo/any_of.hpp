// any_of, all_of, none_of: tell whether items satisfy a predicate.
#pragma once

#include <tine/detail/algo/any_item.hpp>

#include <utility>

namespace tine {
namespace detail {

/// Returns `Found` if the predicate returns `Wanted` for an item.
template <bool Wanted, bool Found>
struct any_item_function {
  template <std::input_iterator It, std::sentinel_for<It> End, class Proj = std::identity,
            std::indirect_unary_predicate<std::projected<It, Proj>> Pred>
  TINE_ALWAYS_INLINE bool operator()(It first, End last, Pred pred, Proj proj = {}) const {
    return any_item<Wanted>(first, last, std::move(pred), std::move(proj)) == Found;
  }
  template <std::ranges::input_range R, class Proj = std::identity,
            std::indirect_unary_predicate<std::projected<std::ranges::iterator_t<R>, Proj>> Pred>
  TINE_ALWAYS_INLINE bool operator()(R&& r, Pred pred, Proj proj = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(pred), std::move(proj));
  }
};

}  // namespace detail

/// Returns true if `pred` is true for the projection of at least one item, evaluated possibly in parallel. As
/// `std::ranges::any_of`. The first item that settles the answer ends the search: on all workers at the ends of their
/// chunks, and on one worker at once.
///
///     tine::any_of(first, last, pred, proj = {})
///     tine::any_of(range, pred, proj = {})
///
/// Work O(k) on one worker and O(n) at most, where k is the position of the item that settles the answer; span O(log
/// n); no memory. `pred` and `proj` are called at most once for each item, as const, on several workers at once.
/// Exceptions and stop requests are as in `par_for`; but if one item settles the answer and another one throws, either
/// may win, whatever their order.
///
/// Source: a reduction that ends early.
inline constexpr detail::any_item_function<true, true> any_of{};

/// Returns true if `pred` is true for the projection of every item. As `std::ranges::all_of`; everything else is as in
/// `any_of`.
///
///     tine::all_of(first, last, pred, proj = {})
///     tine::all_of(range, pred, proj = {})
inline constexpr detail::any_item_function<false, false> all_of{};

/// Returns true if `pred` is false for the projection of every item. As `std::ranges::none_of`; everything else is as
/// in `any_of`.
///
///     tine::none_of(first, last, pred, proj = {})
///     tine::none_of(range, pred, proj = {})
inline constexpr detail::any_item_function<true, false> none_of{};

}  // namespace tine
