// search, find_end, search_n, contains_subrange: a sequence of items inside of a range.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/equal_to_value.hpp>
#include <tine/detail/algo/first_found.hpp>
#include <tine/detail/algo/search_run.hpp>

#include <algorithm>
#include <functional>
#include <utility>

namespace tine {
namespace detail {

/// Returns a test whether the `n` items from `first2` on stand at an iterator.
template <class It1, class It2, class Pred, class Proj1, class Proj2>
TINE_ALWAYS_INLINE auto stands_at(It2 first2, std::uint64_t n, Pred pred, Proj1 proj1, Proj2 proj2) {
  return [first2, last2 = nth_item(first2, n), pred, proj1, proj2](It1 i) TINE_INLINED -> bool {
    for (It2 j = first2; j != last2; ++i, ++j) {
      if (!std::invoke(pred, std::invoke(proj1, *i), std::invoke(proj2, *j))) return false;
    }
    return true;
  };
}

/// Returns the first or the last subrange that is equal to the second range.
template <bool First>
struct find_subrange_function {
  template <std::forward_iterator It1, std::sentinel_for<It1> End1, std::forward_iterator It2,
            std::sentinel_for<It2> End2, class Pred = std::ranges::equal_to, class Proj1 = std::identity,
            class Proj2 = std::identity>
    requires std::indirectly_comparable<It1, It2, Pred, Proj1, Proj2>
  TINE_ALWAYS_INLINE std::ranges::subrange<It1> operator()(It1 first1, End1 last1, It2 first2, End2 last2,
                                                           Pred pred = {}, Proj1 proj1 = {}, Proj2 proj2 = {}) const {
    static_assert(check_iterators<It1, End1>() && check_iterators<It2, End2>());
    static_assert(check_callable<Pred, std::indirect_result_t<Proj1&, It1>, std::indirect_result_t<Proj2&, It2>>());
    const std::uint64_t n1 = items_between(first1, last1), n2 = items_between(first2, last2);
    const It1 end = nth_item(first1, n1);
    if (n2 > n1) return {end, end};
    if (n2 == 0) return First ? std::ranges::subrange<It1>{first1, first1} : std::ranges::subrange<It1>{end, end};
    const std::uint64_t places = n1 - n2 + 1;
    const auto holds = stands_at<It1>(first2, n2, std::move(pred), std::move(proj1), std::move(proj2));
    const std::uint64_t found = [&] {
      if constexpr (First) {
        return first_item_where(first1, places, holds);
      } else {
        return last_item_where(first1, places, holds);
      }
    }();
    if (found == places) return {end, end};
    return {nth_item(first1, found), nth_item(first1, found + n2)};
  }
  template <std::ranges::forward_range R1, std::ranges::forward_range R2, class Pred = std::ranges::equal_to,
            class Proj1 = std::identity, class Proj2 = std::identity>
    requires std::indirectly_comparable<std::ranges::iterator_t<R1>, std::ranges::iterator_t<R2>, Pred, Proj1, Proj2>
  TINE_ALWAYS_INLINE std::ranges::borrowed_subrange_t<R1> operator()(R1&& r1, R2&& r2, Pred pred = {}, Proj1 proj1 = {},
                                                                     Proj2 proj2 = {}) const {
    static_assert(check_range<R1>() && check_range<R2>());
    return (*this)(std::ranges::begin(r1), std::ranges::end(r1), std::ranges::begin(r2), std::ranges::end(r2),
                   std::move(pred), std::move(proj1), std::move(proj2));
  }
};
using search_function = find_subrange_function<true>;

struct search_n_function {
  template <std::forward_iterator It, std::sentinel_for<It> End, class T, class Pred = std::ranges::equal_to,
            class Proj = std::identity>
    requires std::indirectly_comparable<It, const T*, Pred, Proj>
  TINE_ALWAYS_INLINE std::ranges::subrange<It> operator()(It first, End last, std::iter_difference_t<It> length,
                                                          const T& value, Pred pred = {}, Proj proj = {}) const {
    static_assert(check_iterators<It, End>());
    static_assert(check_callable<Pred, std::indirect_result_t<Proj&, It>, const T&>());
    if (length <= 0) return {first, first};
    const std::uint64_t n = items_between(first, last), wanted = static_cast<std::uint64_t>(length);
    const std::uint64_t found =
        search_run(first, n, wanted, [pred, proj, kept = kept_callable<T>{value}](const It& i) TINE_INLINED -> bool {
          return std::invoke(pred, std::invoke(proj, *i), kept.call);
        });
    return {nth_item(first, found), nth_item(first, found == n ? n : found + wanted)};
  }
  template <std::ranges::forward_range R, class T, class Pred = std::ranges::equal_to, class Proj = std::identity>
    requires std::indirectly_comparable<std::ranges::iterator_t<R>, const T*, Pred, Proj>
  TINE_ALWAYS_INLINE std::ranges::borrowed_subrange_t<R> operator()(R&& r, std::ranges::range_difference_t<R> length,
                                                                    const T& value, Pred pred = {},
                                                                    Proj proj = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), length, value, std::move(pred), std::move(proj));
  }
};

struct contains_subrange_function {
  template <std::forward_iterator It1, std::sentinel_for<It1> End1, std::forward_iterator It2,
            std::sentinel_for<It2> End2, class Pred = std::ranges::equal_to, class Proj1 = std::identity,
            class Proj2 = std::identity>
    requires std::indirectly_comparable<It1, It2, Pred, Proj1, Proj2>
  TINE_ALWAYS_INLINE bool operator()(It1 first1, End1 last1, It2 first2, End2 last2, Pred pred = {}, Proj1 proj1 = {},
                                     Proj2 proj2 = {}) const {
    return first2 == last2 || !search_function{}(std::move(first1), std::move(last1), first2, last2, std::move(pred),
                                                 std::move(proj1), std::move(proj2))
                                   .empty();
  }
  template <std::ranges::forward_range R1, std::ranges::forward_range R2, class Pred = std::ranges::equal_to,
            class Proj1 = std::identity, class Proj2 = std::identity>
    requires std::indirectly_comparable<std::ranges::iterator_t<R1>, std::ranges::iterator_t<R2>, Pred, Proj1, Proj2>
  TINE_ALWAYS_INLINE bool operator()(R1&& r1, R2&& r2, Pred pred = {}, Proj1 proj1 = {}, Proj2 proj2 = {}) const {
    static_assert(check_range<R1>() && check_range<R2>());
    return (*this)(std::ranges::begin(r1), std::ranges::end(r1), std::ranges::begin(r2), std::ranges::end(r2),
                   std::move(pred), std::move(proj1), std::move(proj2));
  }
};

}  // namespace detail

/// Returns the first subrange of the first range that is equal to the second range; an empty one at the end if there is
/// none. As `std::ranges::search`. No worker looks behind the result, once it has been found.
///
///     tine::search(first1, last1, first2, last2, pred = {}, proj1 = {}, proj2 = {})
///     tine::search(range1, range2, pred = {}, proj1 = {}, proj2 = {})
///
/// For a result at position k and m items in the second range: work O(k m) on one worker and O(n m) at most; span O(m +
/// log n); no memory. `pred`, `proj1` and `proj2` are called as const, on several workers at once. Exceptions and stop
/// requests are as in `par_for`; an exception at a place behind the result is dropped.
///
/// Source: a reduction that ends early.
inline constexpr detail::find_subrange_function<true> search{};

/// Returns the last subrange of the first range that is equal to the second range; an empty one at the end if there is
/// none. As `std::ranges::find_end`. The search starts at the end; everything else is as in `search`, from there.
///
///     tine::find_end(first1, last1, first2, last2, pred = {}, proj1 = {}, proj2 = {})
///     tine::find_end(range1, range2, pred = {}, proj1 = {}, proj2 = {})
inline constexpr detail::find_subrange_function<false> find_end{};

/// Returns the first subrange of `length` items for whose projections `pred` is true with `value`; an empty one at the
/// end if there is none. As `std::ranges::search_n`.
///
///     tine::search_n(first, last, length, value, pred = {}, proj = {})
///     tine::search_n(range, length, value, pred = {}, proj = {})
///
/// Work O(n), and O(n / length) where such items are rare; O(length) for each stolen part. Span O(length + log n); no
/// memory. `pred` and `proj` are called as const, on several workers at once. Exceptions and stop requests are as in
/// `par_for`; an exception at a place behind the result is dropped.
///
/// Source: the sequential search, which tests each `length`-th item first; here also at the start of each stolen part.
inline constexpr detail::search_n_function search_n{};

/// Returns true if the items of the second range are in the first one, side by side, in this order. As
/// `std::ranges::contains_subrange` of C++23.
///
///     tine::contains_subrange(first1, last1, first2, last2, pred = {}, proj1 = {}, proj2 = {})
///     tine::contains_subrange(range1, range2, pred = {}, proj1 = {}, proj2 = {})
///
/// Everything else is as in `search`.
inline constexpr detail::contains_subrange_function contains_subrange{};

}  // namespace tine
