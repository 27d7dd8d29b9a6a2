// rotate, rotate_copy: exchange two consecutive parts of a range.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>
#include <tine/detail/algo/moved_down.hpp>
#include <tine/detail/algo/swap_blocks.hpp>

#include <algorithm>
#include <iterator>
#include <type_traits>
#include <utility>

namespace tine {
namespace detail {

/// True if so few of `n` items move to the other end that saving them costs less than swaps.
template <class It>
TINE_ALWAYS_INLINE bool is_short_distance(std::uint64_t distance, std::uint64_t n) {
  return distance <= n / 8 && distance <= (std::uint64_t{1} << 20) / sizeof(std::iter_value_t<It>);
}

/// True if one of `n` items moves to the other end, and there are so few that `std::ranges::rotate` takes less time
/// than a buffer.
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

/// Exchanges the `left` items from `at` on with the `right` items behind them. It swaps as many items as the shorter
/// part has, which brings these to their places, until one part is short.
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

struct rotate_function {
  template <std::permutable It, std::sentinel_for<It> End>
  TINE_ALWAYS_INLINE std::ranges::subrange<It> operator()(It first, It middle, End last) const {
    static_assert(check_iterators<It, End>());
    const std::uint64_t left = items_between(first, middle), right = items_between(middle, last);
    rotate_parts(first, left, right);
    return {nth_item(first, right), nth_item(middle, right)};
  }
  template <std::ranges::forward_range R>
    requires std::permutable<std::ranges::iterator_t<R>>
  TINE_ALWAYS_INLINE std::ranges::borrowed_subrange_t<R> operator()(R&& r, std::ranges::iterator_t<R> middle) const {
    static_assert(check_range<R>());
    auto parts = (*this)(std::ranges::begin(r), std::move(middle), std::ranges::end(r));
    return {parts.begin(), parts.end()};
  }
};

struct rotate_copy_function {
  template <std::forward_iterator It, std::sentinel_for<It> End, std::weakly_incrementable Out>
    requires std::indirectly_copyable<It, Out>
  TINE_ALWAYS_INLINE std::ranges::rotate_copy_result<It, Out> operator()(It first, It middle, End last, Out out) const {
    static_assert(check_iterators<It, End>() && check_iterators<Out>());
    const std::uint64_t left = items_between(first, middle), right = items_between(middle, last);
    for_each_chunk(left + right, [first, middle, right, out](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
      Out to = nth_item(out, begin);
      if (begin < right) {
        const It stop = nth_item(middle, std::min(end, right));
        to = std::ranges::copy(nth_item(middle, begin), stop, to).out;
      }
      if (end > right) {
        std::ranges::copy(nth_item(first, std::max(begin, right) - right), nth_item(first, end - right), to);
      }
    });
    return {nth_item(middle, right), nth_item(out, left + right)};
  }
  template <std::ranges::forward_range R, std::weakly_incrementable Out>
    requires std::indirectly_copyable<std::ranges::iterator_t<R>, Out>
  TINE_ALWAYS_INLINE std::ranges::rotate_copy_result<std::ranges::borrowed_iterator_t<R>, Out> operator()(
      R&& r, std::ranges::iterator_t<R> middle, Out out) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::move(middle), std::ranges::end(r), std::move(out));
  }
};

}  // namespace detail

/// Exchanges [first, middle) with [middle, last), possibly in parallel: the item at `middle` becomes the first one.
/// Returns the new place of the item that was the first one, and the end. As `std::ranges::rotate`.
///
///     tine::rotate(first, middle, last)
///     tine::rotate(range, middle)
///
/// Work O(n). A part of at most 1 MiB and n/8 items is saved in a buffer while the other items move past it. Each
/// worker that takes a part of the range has such a buffer, so `std::bad_alloc` may be thrown. Longer parts are
/// exchanged by swapping blocks, until what is left is that short. So the span is that of at most O(log n + bytes / 1
/// MiB) loops, one after the other, and of moving a buffer for each stolen part of the last one.
///
/// Exceptions and stop requests are as in `par_for`. If the rotation ends early, and moves don't throw, the range has
/// the same items in another order.
///
/// Source: block swaps (Gries–Mills 1981).
inline constexpr detail::rotate_function rotate{};

/// Copies [middle, last) and then [first, middle) to `out`, possibly in parallel, and returns both ends. As
/// `std::ranges::rotate_copy`. The ranges must not overlap.
///
///     tine::rotate_copy(first, middle, last, out)
///     tine::rotate_copy(range, middle, out)
///
/// Everything else is as in `copy`.
inline constexpr detail::rotate_copy_function rotate_copy{};

}  // namespace tine
