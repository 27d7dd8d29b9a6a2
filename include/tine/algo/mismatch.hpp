// mismatch, lexicographical_compare: the first position at which two ranges differ, and the order that it decides.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/first_found.hpp>
#include <tine/detail/algo/first_where.hpp>
#include <tine/detail/algo/projected_less.hpp>

#include <algorithm>
#include <functional>
#include <utility>

namespace tine {
namespace detail {

struct mismatch_function {
  template <std::input_iterator It1, std::sentinel_for<It1> End1, std::input_iterator It2, std::sentinel_for<It2> End2,
            class Pred = std::ranges::equal_to, class Proj1 = std::identity, class Proj2 = std::identity>
    requires std::indirectly_comparable<It1, It2, Pred, Proj1, Proj2>
  TINE_ALWAYS_INLINE std::ranges::mismatch_result<It1, It2> operator()(It1 first1, End1 last1, It2 first2, End2 last2,
                                                                       Pred pred = {}, Proj1 proj1 = {},
                                                                       Proj2 proj2 = {}) const {
    static_assert(check_iterators<It1, End1>() && check_iterators<It2, End2>());
    static_assert(check_callable<Pred, std::indirect_result_t<Proj1&, It1>, std::indirect_result_t<Proj2&, It2>>());
    const std::uint64_t n = std::min(items_between(first1, last1), items_between(first2, last2));
    const std::uint64_t found =
        first_found(n, [first1, first2, n, pred, proj1, proj2](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
          const It1 start = nth_item(first1, begin), stop = nth_item(first1, end);
          It2 j = nth_item(first2, begin);
          const It1 at = first_where(start, stop, [&](const It1& i) TINE_INLINED -> bool {
            const bool is_equal = std::invoke(pred, std::invoke(proj1, *i), std::invoke(proj2, *j));
            ++j;
            return !is_equal;
          });
          return at == stop ? n : begin + items_between(start, at);
        });
    return {nth_item(first1, found), nth_item(first2, found)};
  }
  template <std::ranges::input_range R1, std::ranges::input_range R2, class Pred = std::ranges::equal_to,
            class Proj1 = std::identity, class Proj2 = std::identity>
    requires std::indirectly_comparable<std::ranges::iterator_t<R1>, std::ranges::iterator_t<R2>, Pred, Proj1, Proj2>
  TINE_ALWAYS_INLINE
      std::ranges::mismatch_result<std::ranges::borrowed_iterator_t<R1>, std::ranges::borrowed_iterator_t<R2>>
      operator()(R1&& r1, R2&& r2, Pred pred = {}, Proj1 proj1 = {}, Proj2 proj2 = {}) const {
    static_assert(check_range<R1>() && check_range<R2>());
    auto at = (*this)(std::ranges::begin(r1), std::ranges::end(r1), std::ranges::begin(r2), std::ranges::end(r2),
                      std::move(pred), std::move(proj1), std::move(proj2));
    return {std::move(at.in1), std::move(at.in2)};
  }
};

struct lexicographical_compare_function {
  template <
      std::input_iterator It1, std::sentinel_for<It1> End1, std::input_iterator It2, std::sentinel_for<It2> End2,
      class Proj1 = std::identity, class Proj2 = std::identity,
      std::indirect_strict_weak_order<std::projected<It1, Proj1>, std::projected<It2, Proj2>> Comp = std::ranges::less>
  TINE_ALWAYS_INLINE bool operator()(It1 first1, End1 last1, It2 first2, End2 last2, Comp comp = {}, Proj1 proj1 = {},
                                     Proj2 proj2 = {}) const {
    static_assert(check_iterators<It1, End1>() && check_iterators<It2, End2>());
    static_assert(check_callable<Comp, std::indirect_result_t<Proj1&, It1>, std::indirect_result_t<Proj2&, It2>>());
    const std::uint64_t n1 = items_between(first1, last1), n2 = items_between(first2, last2), n = std::min(n1, n2);
    const cross_order order{std::move(comp), std::move(proj1), std::move(proj2)};
    const std::uint64_t at = first_found(
        n, [first1, first2, n, kept = kept_callable{order}](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
          const It1 start = nth_item(first1, begin), stop = nth_item(first1, end);
          It2 j = nth_item(first2, begin);
          const It1 found = first_where(start, stop, [&](const It1& i) TINE_INLINED -> bool {
            const bool differ = kept.call.left_first(*i, *j) || kept.call.right_first(*j, *i);
            ++j;
            return differ;
          });
          return found == stop ? n : begin + items_between(start, found);
        });
    return at == n ? n1 < n2 : order.left_first(*nth_item(first1, at), *nth_item(first2, at));
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

/// Returns iterators to the first pair of items at the same position for whose projections `pred` is false. If there is
/// none, both point behind the last pair; the shorter range decides how many pairs there are. As
/// `std::ranges::mismatch`. No worker looks at pairs behind the result, once it has been found; workers that look at
/// some meanwhile stop at the ends of their chunks.
///
///     tine::mismatch(first1, last1, first2, last2, pred = {}, proj1 = {}, proj2 = {})
///     tine::mismatch(range1, range2, pred = {}, proj1 = {}, proj2 = {})
///
/// Work O(k) on one worker and O(n) at most, where k is the position of the result; span O(log n); no memory. `pred`,
/// `proj1` and `proj2` are called at most once for each pair, as const, on several workers at once. Exceptions and stop
/// requests are as in `par_for`; an exception for a pair behind the result is dropped.
///
/// Source: a reduction that ends early.
inline constexpr detail::mismatch_function mismatch{};

/// Returns true if the first range comes before the second one. The projections at the first position at which they are
/// not equivalent decide; if there is none, the shorter range comes first. As `std::ranges::lexicographical_compare`.
/// No worker looks behind that position, once it has been found.
///
///     tine::lexicographical_compare(first1, last1, first2, last2, comp = {}, proj1 = {}, proj2 = {})
///     tine::lexicographical_compare(range1, range2, comp = {}, proj1 = {}, proj2 = {})
///
/// Work O(k) on one worker and O(n) at most, where k is that position; span O(log n); no memory. `comp` is called at
/// most twice for each pair, and once more for the result, as const, on several workers at once. Exceptions and stop
/// requests are as in `par_for`; an exception for a pair behind that position is dropped.
///
/// Source: a reduction that ends early.
inline constexpr detail::lexicographical_compare_function lexicographical_compare{};

}  // namespace tine
