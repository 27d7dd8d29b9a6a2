// reverse, reverse_copy: reverse the order of the items.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>

#include <algorithm>
#include <concepts>
#include <utility>

namespace tine {
namespace detail {

struct reverse_function {
  template <std::bidirectional_iterator It, std::sentinel_for<It> End>
    requires std::permutable<It>
  TINE_ALWAYS_INLINE It operator()(It first, End last) const {
    static_assert(check_iterators<It, End>());
    const std::uint64_t n = items_between(first, last);
    // We use `last` where we can: compilers don't vectorise the loop if they know by how much its two iterators differ.
    const It stop = [&] {
      if constexpr (std::same_as<It, End>) {
        return last;
      } else {
        return nth_item(first, n);
      }
    }();
    for_each_chunk(n / 2, [first, stop](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
      It right = stop - static_cast<std::iter_difference_t<It>>(begin);
      for (It left = nth_item(first, begin), middle = nth_item(first, end); left != middle; ++left) {
        std::ranges::iter_swap(left, --right);
      }
    });
    return stop;
  }
  template <std::ranges::bidirectional_range R>
    requires std::permutable<std::ranges::iterator_t<R>>
  TINE_ALWAYS_INLINE std::ranges::borrowed_iterator_t<R> operator()(R&& r) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r));
  }
};

struct reverse_copy_function {
  template <std::bidirectional_iterator It, std::sentinel_for<It> End, std::weakly_incrementable Out>
    requires std::indirectly_copyable<It, Out>
  TINE_ALWAYS_INLINE std::ranges::reverse_copy_result<It, Out> operator()(It first, End last, Out out) const {
    static_assert(check_iterators<It, End>() && check_iterators<Out>());
    const std::uint64_t n = items_between(first, last);
    const It stop = nth_item(first, n);
    for_each_chunk(n, [stop, out](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
      It i = stop - static_cast<std::iter_difference_t<It>>(begin);
      for (Out to = nth_item(out, begin), to_end = nth_item(out, end); to != to_end; ++to) *to = *--i;
    });
    return {stop, nth_item(out, n)};
  }
  template <std::ranges::bidirectional_range R, std::weakly_incrementable Out>
    requires std::indirectly_copyable<std::ranges::iterator_t<R>, Out>
  TINE_ALWAYS_INLINE std::ranges::reverse_copy_result<std::ranges::borrowed_iterator_t<R>, Out> operator()(
      R&& r, Out out) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(out));
  }
};

}  // namespace detail

/// Reverses the order of the items in [first, last), possibly in parallel, and returns the end. As
/// `std::ranges::reverse`.
///
///     tine::reverse(first, last)
///     tine::reverse(range)
///
/// Work O(n), span O(log n), no memory. Exceptions and stop requests are as in `par_for`. If the reversal ends early,
/// and swaps don't throw, the range has the same items in another order.
///
/// Source: `par_for` over the pairs of items.
inline constexpr detail::reverse_function reverse{};

/// Copies the items of a range to `out` in the reverse order, possibly in parallel, and returns both ends. As
/// `std::ranges::reverse_copy`. The ranges must not overlap.
///
///     tine::reverse_copy(first, last, out)
///     tine::reverse_copy(range, out)
///
/// Everything else is as in `copy`.
inline constexpr detail::reverse_copy_function reverse_copy{};

}  // namespace tine
