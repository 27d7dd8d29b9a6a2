// reverse: reverses the order of the items.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>

#include <concepts>

namespace tine {

/// Reverses the order of the items in [first, last), possibly in parallel, and returns the end. As
/// `std::ranges::reverse`.
///
/// Work O(n), span O(log n), no memory. Exceptions and stop requests are as in `par_for`; a range whose reversal ends
/// early has the same items in another order, if their swap does not throw.
///
/// Source: `par_for` over the pairs of items.
template <std::bidirectional_iterator It, std::sentinel_for<It> End>
  requires std::permutable<It>
TINE_ALWAYS_INLINE It reverse(It first, End last) {
  static_assert(detail::check_iterators<It, End>());
  const std::uint64_t n = detail::items_between(first, last);
  // Where `last` can be used, it is: compilers do not vectorise the loop if they know by how much its two iterators
  // differ.
  const It stop = [&] {
    if constexpr (std::same_as<It, End>) {
      return last;
    } else {
      return detail::nth_item(first, n);
    }
  }();
  detail::for_each_chunk(n / 2, [first, stop](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
    It right = stop - static_cast<std::iter_difference_t<It>>(begin);
    for (It left = detail::nth_item(first, begin), middle = detail::nth_item(first, end); left != middle; ++left) {
      std::ranges::iter_swap(left, --right);
    }
  });
  return stop;
}

/// As `reverse(first, last)`, for a range.
template <std::ranges::bidirectional_range R>
  requires std::permutable<std::ranges::iterator_t<R>>
TINE_ALWAYS_INLINE std::ranges::borrowed_iterator_t<R> reverse(R&& r) {
  static_assert(detail::check_range<R>());
  return tine::reverse(std::ranges::begin(r), std::ranges::end(r));
}

}  // namespace tine
