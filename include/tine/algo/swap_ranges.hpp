// swap_ranges: exchanges the items of two ranges.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/swap_blocks.hpp>

#include <algorithm>
#include <utility>

namespace tine {
namespace detail {

struct swap_ranges_function {
  template <std::input_iterator It1, std::sentinel_for<It1> End1, std::input_iterator It2, std::sentinel_for<It2> End2>
    requires std::indirectly_swappable<It1, It2>
  TINE_ALWAYS_INLINE std::ranges::swap_ranges_result<It1, It2> operator()(It1 first1, End1 last1, It2 first2,
                                                                          End2 last2) const {
    static_assert(check_iterators<It1, End1>() && check_iterators<It2, End2>());
    const std::uint64_t n = std::min(items_between(first1, last1), items_between(first2, last2));
    swap_blocks(first1, first2, n);
    return {nth_item(first1, n), nth_item(first2, n)};
  }
  template <std::ranges::input_range R1, std::ranges::input_range R2>
    requires std::indirectly_swappable<std::ranges::iterator_t<R1>, std::ranges::iterator_t<R2>>
  TINE_ALWAYS_INLINE
      std::ranges::swap_ranges_result<std::ranges::borrowed_iterator_t<R1>, std::ranges::borrowed_iterator_t<R2>>
      operator()(R1&& r1, R2&& r2) const {
    static_assert(check_range<R1>() && check_range<R2>());
    auto ends = (*this)(std::ranges::begin(r1), std::ranges::end(r1), std::ranges::begin(r2), std::ranges::end(r2));
    return {std::move(ends.in1), std::move(ends.in2)};
  }
};

}  // namespace detail

/// Exchanges the items at the same positions of two ranges, possibly in parallel; the shorter range decides how many.
/// Returns the ends of what it has exchanged. As `std::ranges::swap_ranges`. The ranges must not overlap.
///
///     tine::swap_ranges(first1, last1, first2, last2)
///     tine::swap_ranges(range1, range2)
///
/// Work O(n), span O(log n), no memory. Exceptions and stop requests are as in `par_for`. If it ends early, and swaps
/// don't throw, both ranges together have the same items.
///
/// Source: `par_for` over the pairs of items.
inline constexpr detail::swap_ranges_function swap_ranges{};

}  // namespace tine
