// all_of: finds out if all items satisfy a predicate.
#pragma once

#include <tine/detail/algo/any_item.hpp>

#include <utility>

namespace tine {

/// Returns true if `pred` returns true for the projection of every item in [first, last), evaluated possibly in
/// parallel. As `std::ranges::all_of`. The first item that settles the answer ends the search on all workers, at the
/// ends of their chunks; on one worker no item behind it is looked at.
///
/// Work O(k) on one worker and O(n) at most, k being the position of the item that settles the answer; span O(log n);
/// no memory. `pred` and `proj` are called at most once for each item, as const, on several workers at once. Exceptions
/// and stop requests are as in `par_for`, but if one item settles the answer and another one throws, either may win,
/// whatever their order.
///
/// Source: a reduction that ends early.
template <std::input_iterator It, std::sentinel_for<It> End, class Proj = std::identity,
          std::indirect_unary_predicate<std::projected<It, Proj>> Pred>
TINE_ALWAYS_INLINE bool all_of(It first, End last, Pred pred, Proj proj = {}) {
  return !detail::any_item<false>(first, last, std::move(pred), std::move(proj));
}

/// As `all_of(first, last, pred, proj)`, for a range.
template <std::ranges::input_range R, class Proj = std::identity,
          std::indirect_unary_predicate<std::projected<std::ranges::iterator_t<R>, Proj>> Pred>
TINE_ALWAYS_INLINE bool all_of(R&& r, Pred pred, Proj proj = {}) {
  static_assert(detail::check_range<R>());
  return tine::all_of(std::ranges::begin(r), std::ranges::end(r), std::move(pred), std::move(proj));
}

}  // namespace tine
