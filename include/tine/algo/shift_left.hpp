// shift_left, shift_right: move all items by some places, and drop those that leave the range.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/move_left.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace tine {
namespace detail {

template <bool ToLeft>
struct shift_function {
  template <std::permutable It, std::sentinel_for<It> End>
  std::ranges::subrange<It> operator()(It first, End last, std::iter_difference_t<It> places) const {
    static_assert(check_iterators<It, End>());
    const std::uint64_t n = items_between(first, last), gap = std::min(n, count_of(places));
    if constexpr (ToLeft) {
      move_left(nth_item(first, gap), n - gap, gap);
      return {first, nth_item(first, n - gap)};
    } else {
      move_left(std::make_reverse_iterator(nth_item(first, n - gap)), n - gap, gap);
      return {nth_item(first, gap), nth_item(first, n)};
    }
  }
  template <std::ranges::forward_range R>
    requires std::permutable<std::ranges::iterator_t<R>>
  std::ranges::borrowed_subrange_t<R> operator()(R&& r, std::ranges::range_difference_t<R> places) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), places);
  }
};

}  // namespace detail

/// Moves each item to the position that is `places` lower, possibly in parallel. The first `places` items are dropped.
/// Returns the subrange of the others; the items behind it have unspecified values. As `std::ranges::shift_left` of
/// C++23; nothing moves if `places` is negative.
///
///     tine::shift_left(first, last, places)
///     tine::shift_left(range, places)
///
/// Work O(n), and memory for an eighth of the items at most, if these move by few places. The span is that of at most
/// eight loops. Exceptions and stop requests are as in `par_for`; the items that should stay are then in the range,
/// some of them at their old places, as long as no move throws.
///
/// Source: moves in blocks, the ends of which are saved before.
inline constexpr detail::shift_function<true> shift_left{};

/// As `shift_left`, but to positions that are `places` higher: the last `places` items are dropped. As
/// `std::ranges::shift_right` of C++23.
///
///     tine::shift_right(first, last, places)
///     tine::shift_right(range, places)
inline constexpr detail::shift_function<false> shift_right{};

}  // namespace tine
