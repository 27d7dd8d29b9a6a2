// min_element, max_element: the first of the smallest or of the largest items.
#pragma once

#include <tine/detail/algo/best_position.hpp>

#include <utility>

namespace tine {
namespace detail {

template <bool Largest>
struct best_item_function {
  template <std::forward_iterator It, std::sentinel_for<It> End, class Proj = std::identity,
            std::indirect_strict_weak_order<std::projected<It, Proj>> Comp = std::ranges::less>
  TINE_ALWAYS_INLINE It operator()(It first, End last, Comp comp = {}, Proj proj = {}) const {
    return best_item<Largest>(first, last, std::move(comp), std::move(proj));
  }
  template <std::ranges::forward_range R, class Proj = std::identity,
            std::indirect_strict_weak_order<std::projected<std::ranges::iterator_t<R>, Proj>> Comp = std::ranges::less>
  TINE_ALWAYS_INLINE std::ranges::borrowed_iterator_t<R> operator()(R&& r, Comp comp = {}, Proj proj = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(comp), std::move(proj));
  }
};

}  // namespace detail

/// Returns an iterator to the first of the smallest items: no other projection compares less than its own. Found
/// possibly in parallel. Returns the end if the range is empty. As `std::ranges::min_element`.
///
///     tine::min_element(first, last, comp = {}, proj = {})
///     tine::min_element(range, comp = {}, proj = {})
///
/// Work O(n), span O(log n), no memory. `comp` is called n - 1 times, and `proj` twice for each call, as const, on
/// several workers at once. Exceptions and stop requests are as in `par_for`. We vectorise `std::ranges::less` and
/// `std::ranges::greater` for numbers that lie side by side; these must not be NaN.
///
/// Source: a reduction (Blelloch 1990).
inline constexpr detail::best_item_function<false> min_element{};

/// Returns an iterator to the first of the largest items: its projection does not compare less than any other. As
/// `std::ranges::max_element`; everything else is as in `min_element`.
///
///     tine::max_element(first, last, comp = {}, proj = {})
///     tine::max_element(range, comp = {}, proj = {})
inline constexpr detail::best_item_function<true> max_element{};

}  // namespace tine
