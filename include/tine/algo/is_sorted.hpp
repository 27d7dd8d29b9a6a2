// is_sorted, is_sorted_until: tell how far the items are in ascending order.
#pragma once

#include <tine/detail/algo/any_chunk.hpp>
#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/first_found.hpp>
#include <tine/detail/algo/first_where.hpp>
#include <tine/detail/algo/plain_comparison.hpp>

#include <memory>
#include <utility>

namespace tine {
namespace detail {

/// Returns true if one of the `n` items from `items` on precedes the item before it.
template <plain_comparison Order, class T>
TINE_ALWAYS_INLINE bool has_descent(const T* items, std::uint64_t n) noexcept {
  // a constant, so that compilers vectorise the loop over it at every level of optimisation
  constexpr std::uint64_t block = 256;
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

struct is_sorted_function {
  template <std::forward_iterator It, std::sentinel_for<It> End, class Proj = std::identity,
            std::indirect_strict_weak_order<std::projected<It, Proj>> Comp = std::ranges::less>
  TINE_ALWAYS_INLINE bool operator()(It first, End last, Comp comp = {}, Proj proj = {}) const {
    static_assert(check_iterators<It, End>());
    static_assert(check_callable<Comp, std::indirect_result_t<Proj&, It>, std::indirect_result_t<Proj&, It>>());
    const std::uint64_t n = items_between(first, last);
    if (n < 2) return true;
    return !any_chunk(n - 1, [first, comp, proj](std::uint64_t begin, std::uint64_t end)
                                 TINE_INLINED { return has_descent(first, begin + 1, end + 1, comp, proj); });
  }
  template <std::ranges::forward_range R, class Proj = std::identity,
            std::indirect_strict_weak_order<std::projected<std::ranges::iterator_t<R>, Proj>> Comp = std::ranges::less>
  TINE_ALWAYS_INLINE bool operator()(R&& r, Comp comp = {}, Proj proj = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(comp), std::move(proj));
  }
};

/// Returns the position of the first item from `begin` up to `end` whose projection compares less than that of the item
/// before it, or `end`.
template <class It, class Comp, class Proj>
TINE_ALWAYS_INLINE std::uint64_t first_descent(const It& first, std::uint64_t begin, std::uint64_t end,
                                               const Comp& comp, const Proj& proj) {
  constexpr auto order = plain_comparison_of<It, Comp, Proj>();
  if constexpr (order != plain_comparison::none) {  // we look for the item in the block that has it
    constexpr std::uint64_t block = 256;
    const auto* const items = std::to_address(first);
    while (end - begin > block && !has_descent<order>(items + begin, block)) begin += block;
  }
  const It start = nth_item(first, begin);
  const It at = first_where(start, nth_item(first, end), [&](const It& i) TINE_INLINED -> bool {
    return std::invoke(comp, std::invoke(proj, *i), std::invoke(proj, *(i - 1)));
  });
  return begin + items_between(start, at);
}

struct is_sorted_until_function {
  template <std::forward_iterator It, std::sentinel_for<It> End, class Proj = std::identity,
            std::indirect_strict_weak_order<std::projected<It, Proj>> Comp = std::ranges::less>
  TINE_ALWAYS_INLINE It operator()(It first, End last, Comp comp = {}, Proj proj = {}) const {
    static_assert(check_iterators<It, End>());
    static_assert(check_callable<Comp, std::indirect_result_t<Proj&, It>, std::indirect_result_t<Proj&, It>>());
    const std::uint64_t n = items_between(first, last), pairs = n - 1;
    if (n < 2) return nth_item(first, n);
    const std::uint64_t found =
        first_found(pairs, [first, pairs, comp, proj](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
          const std::uint64_t at = first_descent(first, begin + 1, end + 1, comp, proj);
          return at == end + 1 ? pairs : at - 1;
        });
    return nth_item(first, found == pairs ? n : found + 1);
  }
  template <std::ranges::forward_range R, class Proj = std::identity,
            std::indirect_strict_weak_order<std::projected<std::ranges::iterator_t<R>, Proj>> Comp = std::ranges::less>
  TINE_ALWAYS_INLINE std::ranges::borrowed_iterator_t<R> operator()(R&& r, Comp comp = {}, Proj proj = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(comp), std::move(proj));
  }
};

}  // namespace detail

/// Returns true if no item's projection in [first, last) compares less than that of the item before it, evaluated
/// possibly in parallel. As `std::ranges::is_sorted`. The first descent ends the search: on all workers at the ends of
/// their chunks, and on one worker after the few items that are compared together.
///
///     tine::is_sorted(first, last, comp = {}, proj = {})
///     tine::is_sorted(range, comp = {}, proj = {})
///
/// Work O(k) on one worker and O(n) at most, where k is the position of the first descent; span O(log n); no memory.
/// `comp` is called at most once for each pair of neighbours, and `proj` twice, as const, on several workers at once.
/// Exceptions and stop requests are as in `par_for`; but if one pair descends and another one throws, either may win,
/// whatever their order. We vectorise `std::ranges::less` and `std::ranges::greater` for numbers that lie side by side.
///
/// Source: a reduction that ends early.
inline constexpr detail::is_sorted_function is_sorted{};

/// Returns an iterator to the first item that compares less than the one before it, or the end. As
/// `std::ranges::is_sorted_until`. An exception for an item behind the result is dropped; everything else is as in
/// `is_sorted`.
///
///     tine::is_sorted_until(first, last, comp = {}, proj = {})
///     tine::is_sorted_until(range, comp = {}, proj = {})
inline constexpr detail::is_sorted_until_function is_sorted_until{};

}  // namespace tine
