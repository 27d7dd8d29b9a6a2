// equal, starts_with, ends_with: compare two ranges, or a range and the start or the end of another one, for equality.
#pragma once

#include <tine/detail/algo/any_chunk.hpp>
#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/first_where.hpp>

#include <concepts>
#include <utility>

namespace tine {
namespace detail {

/// Returns true if `pred` is true for the projections of all pairs of items from [i, stop) and from `j` on.
template <class It1, class It2, class Pred, class Proj1, class Proj2>
TINE_ALWAYS_INLINE bool is_equal_chunk(const It1& i, const It1& stop, It2 j, const Pred& pred, const Proj1& proj1,
                                       const Proj2& proj2) {
  if constexpr (std::integral<std::iter_value_t<It1>> && std::same_as<Pred, std::ranges::equal_to>) {
    return std::ranges::equal(i, stop, j, j + (stop - i), pred, proj1, proj2);  // this calls memcmp if it can
  } else {
    const It1 at = first_where(i, stop, [&](const It1& one) TINE_INLINED -> bool {
      const bool is_equal = std::invoke(pred, std::invoke(proj1, *one), std::invoke(proj2, *j));
      ++j;
      return !is_equal;
    });
    return at == stop;
  }
}

struct equal_function {
  template <std::input_iterator It1, std::sentinel_for<It1> End1, std::input_iterator It2, std::sentinel_for<It2> End2,
            class Pred = std::ranges::equal_to, class Proj1 = std::identity, class Proj2 = std::identity>
    requires std::indirectly_comparable<It1, It2, Pred, Proj1, Proj2>
  TINE_ALWAYS_INLINE bool operator()(It1 first1, End1 last1, It2 first2, End2 last2, Pred pred = {}, Proj1 proj1 = {},
                                     Proj2 proj2 = {}) const {
    static_assert(check_iterators<It1, End1>() && check_iterators<It2, End2>());
    static_assert(check_callable<Pred, std::indirect_result_t<Proj1&, It1>, std::indirect_result_t<Proj2&, It2>>());
    const std::uint64_t n = items_between(first1, last1);
    if (n != items_between(first2, last2)) return false;
    return !any_chunk(n, [first1, first2, pred, proj1, proj2](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
      return !is_equal_chunk(nth_item(first1, begin), nth_item(first1, end), nth_item(first2, begin), pred, proj1,
                             proj2);
    });
  }
  template <std::ranges::input_range R1, std::ranges::input_range R2, class Pred = std::ranges::equal_to,
            class Proj1 = std::identity, class Proj2 = std::identity>
    requires std::indirectly_comparable<std::ranges::iterator_t<R1>, std::ranges::iterator_t<R2>, Pred, Proj1, Proj2>
  TINE_ALWAYS_INLINE bool operator()(R1&& r1, R2&& r2, Pred pred = {}, Proj1 proj1 = {}, Proj2 proj2 = {}) const {
    static_assert(check_range<R1>() && check_range<R2>());
    return (*this)(std::ranges::begin(r1), std::ranges::end(r1), std::ranges::begin(r2), std::ranges::end(r2),
                   std::move(pred), std::move(proj1), std::move(proj2));
  }
};

template <bool AtStart>
struct starts_with_function {
  template <std::input_iterator It1, std::sentinel_for<It1> End1, std::input_iterator It2, std::sentinel_for<It2> End2,
            class Pred = std::ranges::equal_to, class Proj1 = std::identity, class Proj2 = std::identity>
    requires std::indirectly_comparable<It1, It2, Pred, Proj1, Proj2>
  TINE_ALWAYS_INLINE bool operator()(It1 first1, End1 last1, It2 first2, End2 last2, Pred pred = {}, Proj1 proj1 = {},
                                     Proj2 proj2 = {}) const {
    static_assert(check_iterators<It1, End1>() && check_iterators<It2, End2>());
    const std::uint64_t n1 = items_between(first1, last1), n2 = items_between(first2, last2);
    if (n2 > n1) return false;
    const It1 from = nth_item(first1, AtStart ? 0 : n1 - n2);
    return equal_function{}(from, nth_item(from, n2), std::move(first2), std::move(last2), std::move(pred),
                            std::move(proj1), std::move(proj2));
  }
  template <std::ranges::input_range R1, std::ranges::input_range R2, class Pred = std::ranges::equal_to,
            class Proj1 = std::identity, class Proj2 = std::identity>
    requires std::indirectly_comparable<std::ranges::iterator_t<R1>, std::ranges::iterator_t<R2>, Pred, Proj1, Proj2>
  TINE_ALWAYS_INLINE bool operator()(R1&& r1, R2&& r2, Pred pred = {}, Proj1 proj1 = {}, Proj2 proj2 = {}) const {
    static_assert(check_range<R1>() && check_range<R2>());
    return (*this)(std::ranges::begin(r1), std::ranges::end(r1), std::ranges::begin(r2), std::ranges::end(r2),
                   std::move(pred), std::move(proj1), std::move(proj2));
  }
};

}  // namespace detail

/// Returns true if [first1, last1) and [first2, last2) have the same length, and `pred` is true for the projections of
/// each pair of items at the same position, evaluated possibly in parallel. As `std::ranges::equal`. The first pair
/// that differs ends the comparison: on all workers at the ends of their chunks, and on one worker at once.
///
///     tine::equal(first1, last1, first2, last2, pred = {}, proj1 = {}, proj2 = {})
///     tine::equal(range1, range2, pred = {}, proj1 = {}, proj2 = {})
///
/// Work O(k) on one worker and O(n) at most, where k is the position of the first pair that differs, and O(1) if the
/// lengths differ; span O(log n); no memory. `pred`, `proj1` and `proj2` are called at most once for each pair, as
/// const, on several workers at once. Exceptions and stop requests are as in `par_for`; but if one pair differs and
/// another one throws, either may win, whatever their order.
///
/// Source: a reduction that ends early.
inline constexpr detail::equal_function equal{};

/// Returns true if the first items of the first range are equal to those of the second range. As
/// `std::ranges::starts_with` of C++23.
///
///     tine::starts_with(first1, last1, first2, last2, pred = {}, proj1 = {}, proj2 = {})
///     tine::starts_with(range1, range2, pred = {}, proj1 = {}, proj2 = {})
///
/// Everything else is as in `equal`.
inline constexpr detail::starts_with_function<true> starts_with{};

/// Returns true if the last items of the first range are equal to those of the second range. As
/// `std::ranges::ends_with` of C++23.
///
///     tine::ends_with(first1, last1, first2, last2, pred = {}, proj1 = {}, proj2 = {})
///     tine::ends_with(range1, range2, pred = {}, proj1 = {}, proj2 = {})
///
/// Everything else is as in `equal`.
inline constexpr detail::starts_with_function<false> ends_with{};

}  // namespace tine
