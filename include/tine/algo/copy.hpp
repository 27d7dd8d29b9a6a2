// copy, copy_n, move: write the items of a range to another one.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>

#include <algorithm>
#include <utility>

namespace tine {
namespace detail {

/// Copies or moves `n` items from `first` to `out`.
template <bool Moves, class It, class Out>
TINE_ALWAYS_INLINE std::ranges::in_out_result<It, Out> write_items(It first, std::uint64_t n, Out out) {
  static_assert(check_iterators<It>() && check_iterators<Out>());
  for_each_chunk(n, [first, out](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
    const It start = nth_item(first, begin), stop = nth_item(first, end);
    if constexpr (Moves) {
      std::ranges::move(start, stop, nth_item(out, begin));
    } else {
      std::ranges::copy(start, stop, nth_item(out, begin));
    }
  });
  return {nth_item(first, n), nth_item(out, n)};
}

struct copy_function {
  template <std::input_iterator It, std::sentinel_for<It> End, std::weakly_incrementable Out>
    requires std::indirectly_copyable<It, Out>
  TINE_ALWAYS_INLINE std::ranges::copy_result<It, Out> operator()(It first, End last, Out out) const {
    static_assert(check_iterators<It, End>());
    return write_items<false>(first, items_between(first, last), out);
  }
  template <std::ranges::input_range R, std::weakly_incrementable Out>
    requires std::indirectly_copyable<std::ranges::iterator_t<R>, Out>
  TINE_ALWAYS_INLINE std::ranges::copy_result<std::ranges::borrowed_iterator_t<R>, Out> operator()(R&& r,
                                                                                                   Out out) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(out));
  }
};

struct copy_n_function {
  template <std::input_iterator It, std::weakly_incrementable Out>
    requires std::indirectly_copyable<It, Out>
  TINE_ALWAYS_INLINE std::ranges::copy_n_result<It, Out> operator()(It first, std::iter_difference_t<It> n,
                                                                    Out out) const {
    return write_items<false>(first, count_of(n), out);
  }
};

struct move_function {
  template <std::input_iterator It, std::sentinel_for<It> End, std::weakly_incrementable Out>
    requires std::indirectly_movable<It, Out>
  TINE_ALWAYS_INLINE std::ranges::move_result<It, Out> operator()(It first, End last, Out out) const {
    static_assert(check_iterators<It, End>());
    return write_items<true>(first, items_between(first, last), out);
  }
  template <std::ranges::input_range R, std::weakly_incrementable Out>
    requires std::indirectly_movable<std::ranges::iterator_t<R>, Out>
  TINE_ALWAYS_INLINE std::ranges::move_result<std::ranges::borrowed_iterator_t<R>, Out> operator()(R&& r,
                                                                                                   Out out) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(out));
  }
};

}  // namespace detail

/// Copies the items of a range to the range that starts at `out`, possibly in parallel. Returns the ends of both
/// ranges. As `std::ranges::copy`, but the ranges must not overlap.
///
///     tine::copy(first, last, out)
///     tine::copy(range, out)
///
/// Work O(n), span O(log n), no memory. Exceptions and stop requests are as in `par_for`; they leave any of the items
/// in the output.
///
/// Source: `par_for` over the items.
inline constexpr detail::copy_function copy{};

/// As `copy`, for the `n` items from `first` on; none if `n` is negative. As `std::ranges::copy_n`.
///
///     tine::copy_n(first, n, out)
inline constexpr detail::copy_n_function copy_n{};

/// As `copy`, but moves the items. As `std::ranges::move`. If it ends early, and moves don't throw, each item is in one
/// of the ranges.
///
///     tine::move(first, last, out)
///     tine::move(range, out)
inline constexpr detail::move_function move{};

}  // namespace tine
