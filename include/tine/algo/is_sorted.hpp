// is_sorted: finds out if the items are in ascending order.
#pragma once

#include <tine/detail/algo/any_chunk.hpp>
#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/first_where.hpp>
#include <tine/detail/algo/plain_comparison.hpp>

#include <memory>
#include <utility>

namespace tine {
namespace detail {

/// Returns true if one of the `n` items from `items` on precedes the item before it.
template <plain_comparison Order, class T>
TINE_ALWAYS_INLINE bool has_descent(const T* items, std::uint64_t n) noexcept {
  constexpr std::uint64_t block =
      256;  // a constant, so that compilers vectorise the loop over it at every level of optimisation
  const T* const before = items - 1;
  std::uint64_t i = 0;
  for (; n - i >= block; i += block) {
    unsigned found = 0;
    for (std::uint64_t k = i; k < i + block; ++k) found |= static_cast<unsigned>(precedes<Order>(items[k], before[k]));
    if (found != 0) return true;
  }
  for (; i != n; ++i) {
    if (precedes<Order>(items[i], before[i])) return true;
  }
  return false;
}

/// Returns true if the projection of an item from position `begin` up to `end` compares less than that of the item
/// before it.
template <class It, class Comp, class Proj>
TINE_ALWAYS_INLINE bool has_descent(const It& first, std::uint64_t begin, std::uint64_t end, const Comp& comp,
                                    const Proj& proj) {
  constexpr auto order = plain_comparison_of<It, Comp, Proj>();
  if constexpr (order != plain_comparison::none) {
    return has_descent<order>(std::to_address(first) + begin, end - begin);
  } else {
    const It stop = nth_item(first, end);
    return first_where(nth_item(first, begin), stop, [&](const It& i) TINE_INLINED -> bool {
             return std::invoke(comp, std::invoke(proj, *i), std::invoke(proj, *(i - 1)));
           }) != stop;
  }
}

}  // namespace detail

/// Returns true if the projection of no item in [first, last) compares less than that of the item before it, evaluated
/// possibly in parallel. As `std::ranges::is_sorted`. The first descent ends the search on all workers, at the ends of
/// their chunks; on one worker no item behind it is looked at, but for a few that are compared at once.
///
/// Work O(k) on one worker and O(n) at most, k being the position of the first descent; span O(log n); no memory.
/// `comp` is called at most once for each pair of neighbours, and `proj` twice, as const, on several workers at once.
/// Exceptions and stop requests are as in `par_for`, but if one pair descends and another one throws, either may win,
/// whatever their order. The comparisons `std::ranges::less` and `std::ranges::greater` of numbers that lie side by
/// side are vectorised.
///
/// Source: a reduction that ends early.
template <std::forward_iterator It, std::sentinel_for<It> End, class Proj = std::identity,
          std::indirect_strict_weak_order<std::projected<It, Proj>> Comp = std::ranges::less>
TINE_ALWAYS_INLINE bool is_sorted(It first, End last, Comp comp = {}, Proj proj = {}) {
  static_assert(detail::check_iterators<It, End>());
  static_assert(detail::check_callable<Comp, std::indirect_result_t<Proj&, It>, std::indirect_result_t<Proj&, It>>());
  const std::uint64_t n = detail::items_between(first, last);
  if (n < 2) return true;
  return !detail::any_chunk(n - 1, [first, comp, proj](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
    return detail::has_descent(first, begin + 1, end + 1, comp, proj);
  });
}

/// As `is_sorted(first, last, comp, proj)`, for a range.
template <std::ranges::forward_range R, class Proj = std::identity,
          std::indirect_strict_weak_order<std::projected<std::ranges::iterator_t<R>, Proj>> Comp = std::ranges::less>
TINE_ALWAYS_INLINE bool is_sorted(R&& r, Comp comp = {}, Proj proj = {}) {
  static_assert(detail::check_range<R>());
  return tine::is_sorted(std::ranges::begin(r), std::ranges::end(r), std::move(comp), std::move(proj));
}

}  // namespace tine
