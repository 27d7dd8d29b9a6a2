// includes: tells whether a sorted range has all items of another one.
#pragma once

#include <tine/detail/algo/any_chunk.hpp>
#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/projected_less.hpp>
#include <tine/detail/algo/skip_before.hpp>

#include <algorithm>
#include <functional>
#include <utility>

namespace tine {
namespace detail {

/// Returns true if the left range has all items of the right range from `begin` up to `end`. For equal items of the
/// right range before `begin`, the left range needs as many more items.
template <class A, class B, class Order>
bool includes_chunk(const A& a, std::uint64_t a_length, const B& b, std::uint64_t begin, std::uint64_t end,
                    const Order& order) {
  const A a_end = nth_item(a, a_length);
  B j = nth_item(b, begin);
  const B b_end = nth_item(b, end);
  A i = skip_before(a, a_end, [&](const A& at) { return order.left_first(*at, *j); });
  const B group = skip_before(b, j, [&](const B& at) { return order.right_less(*at, *j); });
  i = nth_item(i, std::min(length_of(group, j), length_of(i, a_end)));
  for (; j != b_end; ++i, ++j) {
    i = skip_before(i, a_end, [&](const A& at) { return order.left_first(*at, *j); });
    if (i == a_end || order.right_first(*j, *i)) return false;
  }
  return true;
}

struct includes_function {
  template <
      std::input_iterator It1, std::sentinel_for<It1> End1, std::input_iterator It2, std::sentinel_for<It2> End2,
      class Proj1 = std::identity, class Proj2 = std::identity,
      std::indirect_strict_weak_order<std::projected<It1, Proj1>, std::projected<It2, Proj2>> Comp = std::ranges::less>
  TINE_ALWAYS_INLINE bool operator()(It1 first1, End1 last1, It2 first2, End2 last2, Comp comp = {}, Proj1 proj1 = {},
                                     Proj2 proj2 = {}) const {
    static_assert(check_iterators<It1, End1>() && check_iterators<It2, End2>());
    static_assert(check_callable<Comp, std::indirect_result_t<Proj1&, It1>, std::indirect_result_t<Proj2&, It2>>());
    const std::uint64_t n1 = items_between(first1, last1), n2 = items_between(first2, last2);
    const cross_order order{std::move(comp), std::move(proj1), std::move(proj2)};
    return n2 <= n1 && !any_chunk(n2, [a = plain_input<It2>(first1), n1, b = plain_input<It1>(first2),
                                       kept = kept_callable{order}](std::uint64_t begin, std::uint64_t end) {
             return begin != end && !includes_chunk(a, n1, b, begin, end, kept.call);
           });
  }
  template <std::ranges::input_range R1, std::ranges::input_range R2, class Proj1 = std::identity,
            class Proj2 = std::identity,
            std::indirect_strict_weak_order<std::projected<std::ranges::iterator_t<R1>, Proj1>,
                                            std::projected<std::ranges::iterator_t<R2>, Proj2>>
                Comp = std::ranges::less>
  TINE_ALWAYS_INLINE bool operator()(R1&& r1, R2&& r2, Comp comp = {}, Proj1 proj1 = {}, Proj2 proj2 = {}) const {
    static_assert(check_range<R1>() && check_range<R2>());
    return (*this)(std::ranges::begin(r1), std::ranges::end(r1), std::ranges::begin(r2), std::ranges::end(r2),
                   std::move(comp), std::move(proj1), std::move(proj2));
  }
};

}  // namespace detail

/// Returns true if the first of two sorted ranges has all items of the second one, and those that are there several
/// times as many times. As `std::ranges::includes`. The first missing item ends the search at the ends of chunks.
///
///     tine::includes(first1, last1, first2, last2, comp = {}, proj1 = {}, proj2 = {})
///     tine::includes(range1, range2, comp = {}, proj1 = {}, proj2 = {})
///
/// Work O(m log(n / m)) for n and m items, m <= n, and O(log n) for each chunk. Span O(log n), as long as chunks of
/// some microseconds count as one. No memory. `comp` and the projections are called as const, on several workers at
/// once. Exceptions and stop requests are as in `par_for`; but if one item is missing and a call for another one
/// throws, either may win.
///
/// Source: a search for each item from the place of the one before it, in steps that double.
inline constexpr detail::includes_function includes{};

}  // namespace tine
