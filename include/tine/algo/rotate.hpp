// rotate: exchanges two consecutive parts of a range.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>
#include <tine/detail/algo/moved_down.hpp>

#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>

namespace tine {
namespace detail {

/// True if so few of `n` items are moved to the other end that saving them costs less than swaps.
template <class It>
TINE_ALWAYS_INLINE bool is_short_distance(std::uint64_t distance, std::uint64_t n) {
  return distance <= n / 8 && distance <= (std::uint64_t{1} << 20) / sizeof(std::iter_value_t<It>);
}

/// True if one of `n` items is moved to the other end, and the items are so few that `std::ranges::rotate` does it in
/// less time than a buffer takes.
template <class It>
TINE_ALWAYS_INLINE bool is_short_move(std::uint64_t distance, std::uint64_t n) {
  using item = std::iter_value_t<It>;
  return std::is_trivially_copyable_v<item> && distance == 1 && n <= (std::uint64_t{1} << 12) / sizeof(item);
}

/// Moves the first `distance` of `n` items behind all others.
template <class It>
TINE_ALWAYS_INLINE void rotate_by_moves(It first, std::uint64_t distance, std::uint64_t n) {
  fold_chunks(
      n, [first, distance] { return moved_down<It>{first, distance}; },
      [](moved_down<It>& so_far, std::uint64_t begin, std::uint64_t end) TINE_INLINED { so_far.append(begin, end); },
      [](moved_down<It>& so_far, moved_down<It>&& later) { so_far.append(std::move(later)); })
      .put_saved_at_end();
}

/// Swaps the `n` items from `a` on with those from `b` on.
template <class It>
TINE_ALWAYS_INLINE void swap_blocks(It a, It b, std::uint64_t n) {
  for_each_chunk(n, [a, b](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
    It j = nth_item(b, begin);
    for (It i = nth_item(a, begin), stop = nth_item(a, end); i != stop; ++i, ++j) std::ranges::iter_swap(i, j);
  });
}

/// Exchanges the `left` items from `at` on with the `right` items behind them. Swaps as many items as the shorter part
/// has, which takes them to their places, until one part is short.
template <class It>
TINE_ALWAYS_INLINE void rotate_parts(It at, std::uint64_t left, std::uint64_t right) {
  while (left != 0 && right != 0) {
    const std::uint64_t n = left + right;
    if (is_short_move<It>(std::min(left, right), n)) {
      std::ranges::rotate(at, nth_item(at, left), nth_item(at, n));
      return;
    }
    if (is_short_distance<It>(left, n)) return rotate_by_moves(at, left, n);
    if (is_short_distance<It>(right, n)) return rotate_by_moves(std::make_reverse_iterator(nth_item(at, n)), right, n);
    const std::uint64_t swapped = std::min(left, right);
    swap_blocks(at, nth_item(at, left), swapped);
    at = nth_item(at, swapped);
    if (left <= right) {
      right -= swapped;
    } else {
      left -= swapped;
    }
  }
}

}  // namespace detail

/// Exchanges [first, middle) with [middle, last), possibly in parallel: the item at `middle` becomes the first one.
/// Returns the new place of the item that was the first one, and the end. As `std::ranges::rotate`.
///
/// Work O(n). A part of at most 1 MiB and n/8 items is saved in a buffer, while the other items move past it; each
/// worker that takes a part of the range has such a buffer, and `std::bad_alloc` may be thrown. Otherwise the function
/// swaps blocks until the part that is left is as short: the span is that of at most O(log n + bytes / 1 MiB) loops,
/// one after the other, and of the moves of one buffer for each stolen part of the last one.
///
/// Exceptions and stop requests are as in `par_for`. A range whose rotation ends early has the same items in another
/// order, if moving them does not throw.
///
/// Source: block swaps (Gries–Mills 1981).
template <std::permutable It, std::sentinel_for<It> End>
TINE_ALWAYS_INLINE std::ranges::subrange<It> rotate(It first, It middle, End last) {
  static_assert(detail::check_iterators<It, End>());
  const std::uint64_t left = detail::items_between(first, middle), right = detail::items_between(middle, last);
  detail::rotate_parts(first, left, right);
  return {detail::nth_item(first, right), detail::nth_item(middle, right)};
}

/// As `rotate(first, middle, last)`, for a range.
template <std::ranges::forward_range R>
  requires std::permutable<std::ranges::iterator_t<R>>
TINE_ALWAYS_INLINE std::ranges::borrowed_subrange_t<R> rotate(R&& r, std::ranges::iterator_t<R> middle) {
  static_assert(detail::check_range<R>());
  auto parts = tine::rotate(std::ranges::begin(r), std::move(middle), std::ranges::end(r));
  return {parts.begin(), parts.end()};
}

}  // namespace tine
