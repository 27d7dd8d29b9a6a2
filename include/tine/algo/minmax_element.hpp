// minmax_element: the first of the smallest and the last of the largest items.
#pragma once

#include <tine/detail/algo/best_in_block.hpp>
#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>

#include <memory>
#include <utility>

namespace tine {
namespace detail {

/// The positions of the first of the smallest and the last of the largest items of a subrange.
struct extreme_positions {
  std::uint64_t smallest, largest;
};

/// Updates the positions with the items from `begin` up to `end`. If the items are not numbers, we take them in pairs:
/// three comparisons for two items.
template <plain_comparison Order, class It, class IsLess>
TINE_ALWAYS_INLINE void update_extremes(const It& first, std::uint64_t begin, std::uint64_t end,
                                        extreme_positions& so_far, const IsLess& is_less) {
  if constexpr (Order != plain_comparison::none) {
    const auto* const items = std::to_address(first);
    so_far.smallest = first_best<Order>(items, begin, end, so_far.smallest);
    so_far.largest = last_best<opposite_of(Order)>(items, begin, end, so_far.largest);
  } else {
    It smallest = nth_item(first, so_far.smallest), largest = nth_item(first, so_far.largest);
    It i = nth_item(first, begin);
    for (std::uint64_t pairs = (end - begin) / 2; pairs != 0; --pairs) {
      It low = i, high = ++i;
      if (is_less(high, low)) std::swap(low, high);
      if (is_less(low, smallest)) smallest = low;
      if (!is_less(high, largest)) largest = high;
      ++i;
    }
    if ((end - begin) % 2 != 0) {
      if (is_less(i, smallest)) {
        smallest = i;
      } else if (!is_less(i, largest)) {
        largest = i;
      }
    }
    so_far = {items_between(first, smallest), items_between(first, largest)};
  }
}

struct minmax_element_function {
  template <std::forward_iterator It, std::sentinel_for<It> End, class Proj = std::identity,
            std::indirect_strict_weak_order<std::projected<It, Proj>> Comp = std::ranges::less>
  TINE_ALWAYS_INLINE std::ranges::minmax_element_result<It> operator()(It first, End last, Comp comp = {},
                                                                       Proj proj = {}) const {
    static_assert(check_iterators<It, End>());
    static_assert(check_callable<Comp, std::indirect_result_t<Proj&, It>, std::indirect_result_t<Proj&, It>>());
    using extremes = extreme_positions;
    constexpr auto order = plain_comparison_of<It, Comp, Proj>();
    const std::uint64_t n = items_between(first, last);
    const auto is_less = [comp, proj](const It& i, const It& j) TINE_INLINED {
      return static_cast<bool>(std::invoke(comp, std::invoke(proj, *i), std::invoke(proj, *j)));
    };
    // Before its first item, the positions of a subrange are n.
    const extremes found = fold_chunks(
        n, [n] { return extremes{n, n}; },
        [first, n, is_less](extremes& so_far, std::uint64_t begin, std::uint64_t end) TINE_INLINED {
          if (begin == end) return;
          if (so_far.smallest == n) {
            so_far = {begin, begin};
            ++begin;
          }
          update_extremes<order>(first, begin, end, so_far, is_less);
        },
        [first, n, is_less](extremes& so_far, extremes later) {
          if (later.smallest == n) return;
          if (so_far.smallest == n) {
            so_far = later;
            return;
          }
          if (is_less(nth_item(first, later.smallest), nth_item(first, so_far.smallest))) {
            so_far.smallest = later.smallest;
          }
          if (!is_less(nth_item(first, later.largest), nth_item(first, so_far.largest))) {
            so_far.largest = later.largest;
          }
        });
    return {nth_item(first, found.smallest), nth_item(first, found.largest)};
  }
  template <std::ranges::forward_range R, class Proj = std::identity,
            std::indirect_strict_weak_order<std::projected<std::ranges::iterator_t<R>, Proj>> Comp = std::ranges::less>
  TINE_ALWAYS_INLINE std::ranges::minmax_element_result<std::ranges::borrowed_iterator_t<R>> operator()(
      R&& r, Comp comp = {}, Proj proj = {}) const {
    static_assert(check_range<R>());
    auto found = (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(comp), std::move(proj));
    return {std::move(found.min), std::move(found.max)};
  }
};

}  // namespace detail

/// Returns iterators to the first of the smallest and the last of the largest items in [first, last), found possibly in
/// parallel. If the range is empty, both are the end. As `std::ranges::minmax_element`, also in the choice among equal
/// items.
///
///     tine::minmax_element(first, last, comp = {}, proj = {})
///     tine::minmax_element(range, comp = {}, proj = {})
///
/// Work O(n), span O(log n), no memory. `comp` is called about 3/2 n times, and at most twice for an item; `proj` is
/// called twice for each call; both as const, on several workers at once. Exceptions and stop requests are as in
/// `par_for`. We vectorise `std::ranges::less` and `std::ranges::greater` for numbers that lie side by side; these must
/// not be NaN.
///
/// Source: a reduction (Blelloch 1990); comparisons in pairs (Cormen–Leiserson–Rivest–Stein, §9.1).
inline constexpr detail::minmax_element_function minmax_element{};

}  // namespace tine
