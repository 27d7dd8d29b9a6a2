// max_element: the first of the largest items.
#pragma once

#include <tine/detail/algo/best_position.hpp>

#include <utility>

namespace tine {

/// Returns an iterator to the first item in [first, last) whose projection compares less than no other one, found
/// possibly in parallel. If the range is empty, the function returns the end. As `std::ranges::max_element`.
///
/// Work O(n), span O(log n), no memory. `comp` is called once less than there are items, and `proj` twice for each
/// call, as const, on several workers at once. Exceptions and stop requests are as in `par_for`. The comparisons
/// `std::ranges::less` and `std::ranges::greater` of numbers that lie side by side are vectorised; such numbers must
/// not be NaN.
///
/// Source: a reduction (Blelloch 1990).
template <std::forward_iterator It, std::sentinel_for<It> End, class Proj = std::identity,
          std::indirect_strict_weak_order<std::projected<It, Proj>> Comp = std::ranges::less>
TINE_ALWAYS_INLINE It max_element(It first, End last, Comp comp = {}, Proj proj = {}) {
  return detail::best_item<true>(first, last, std::move(comp), std::move(proj));
}

/// As `max_element(first, last, comp, proj)`, for a range.
template <std::ranges::forward_range R, class Proj = std::identity,
          std::indirect_strict_weak_order<std::projected<std::ranges::iterator_t<R>, Proj>> Comp = std::ranges::less>
TINE_ALWAYS_INLINE std::ranges::borrowed_iterator_t<R> max_element(R&& r, Comp comp = {}, Proj proj = {}) {
  static_assert(detail::check_range<R>());
  return tine::max_element(std::ranges::begin(r), std::ranges::end(r), std::move(comp), std::move(proj));
}

}  // namespace tine
