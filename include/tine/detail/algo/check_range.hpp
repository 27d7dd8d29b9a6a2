// Checks of the ranges and callables that are passed to algorithms. They report misuse in the caller's terms.
#pragma once

#include <tine/detail/base/language.hpp>
#include <tine/detail/base/macros.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <type_traits>

namespace tine::detail {

/// Refuses iterators that algorithms can't take.
template <class It, class End = It>
consteval bool check_iterators() {
  static_assert(
      std::random_access_iterator<It>,
      "tine: an algorithm needs random access iterators, because another worker may begin anywhere in the range: copy the items into a std::vector");
  if constexpr (std::random_access_iterator<It>) {
    static_assert(
        std::sized_sentinel_for<End, It>,
        "tine: an algorithm must know the length of its range: give it an end that can be subtracted from its beginning, as std::counted_iterator or v.end()");
  }
  return true;
}

/// As `check_iterators`, for a range.
template <class R>
consteval bool check_range() {
  return check_iterators<std::ranges::iterator_t<R>, std::ranges::sentinel_t<R>>();
}

/// True if several workers may call an `F` with these arguments at once, i.e. as const. Reports an `F` that only one
/// worker could call.
template <class F, class... Args>
consteval bool check_callable() {
  static_assert(
      std::invocable<const F&, Args...> || !std::invocable<F&, Args...>,
      "tine: several workers call the function of an algorithm at once, so it must be callable as const: a lambda must not be mutable");
  return true;
}

/// Returns a number of items; 0 if it is negative.
template <class Difference>
TINE_ALWAYS_INLINE std::uint64_t count_of(Difference n) {
  return n > 0 ? static_cast<std::uint64_t>(n) : 0;
}

/// Returns the number of items from `first` up to `last`; 0 if `last` comes before `first`.
template <std::input_or_output_iterator It, std::sized_sentinel_for<It> End>
TINE_ALWAYS_INLINE std::uint64_t items_between(const It& first, const End& last) {
  return count_of(last - first);
}

/// Returns the iterator to the item number `k` after `first`.
template <class It>
TINE_ALWAYS_INLINE It nth_item(const It& first, std::uint64_t k) {
  return first + static_cast<std::iter_difference_t<It>>(k);
}

}  // namespace tine::detail
