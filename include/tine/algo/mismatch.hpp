// mismatch: the first position at which two ranges differ.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/first_where.hpp>
#include <tine/detail/algo/fold_chunks.hpp>

#include <utility>

namespace tine {

/// Returns the iterators to the first pair of items at the same position for whose projections `pred` returns false. If
/// there is none, the function returns the iterators behind the last pair; the shorter range decides the number of
/// pairs. As `std::ranges::mismatch`. Pairs after the first one that differs are not looked at, except for those that
/// other workers look at meanwhile: these stop at the end of their chunk.
///
/// Work O(k) on one worker and O(n) at most, k being the position of the result; span O(log n); no memory. `pred`,
/// `proj1` and `proj2` are called at most once for each pair, as const, on several workers at once. Exceptions and stop
/// requests are as in `par_for`; an exception for a pair after the result is dropped.
///
/// Source: a reduction that ends early.
template <std::input_iterator It1, std::sentinel_for<It1> End1, std::input_iterator It2, std::sentinel_for<It2> End2,
          class Pred = std::ranges::equal_to, class Proj1 = std::identity, class Proj2 = std::identity>
  requires std::indirectly_comparable<It1, It2, Pred, Proj1, Proj2>
TINE_ALWAYS_INLINE std::ranges::mismatch_result<It1, It2> mismatch(It1 first1, End1 last1, It2 first2, End2 last2,
                                                                   Pred pred = {}, Proj1 proj1 = {}, Proj2 proj2 = {}) {
  static_assert(detail::check_iterators<It1, End1>() && detail::check_iterators<It2, End2>());
  static_assert(
      detail::check_callable<Pred, std::indirect_result_t<Proj1&, It1>, std::indirect_result_t<Proj2&, It2>>());
  const std::uint64_t n = std::min(detail::items_between(first1, last1), detail::items_between(first2, last2));
  // The result of a subrange is the position of its first pair that differs; n if there is none.
  const std::uint64_t found = detail::fold_chunks_until(
      n, [n] { return n; },
      [first1, first2, n, pred, proj1, proj2](std::uint64_t& so_far, std::uint64_t begin, std::uint64_t end)
          TINE_INLINED {
            if (so_far != n) return;
            const It1 start = detail::nth_item(first1, begin), stop = detail::nth_item(first1, end);
            It2 j = detail::nth_item(first2, begin);
            const It1 at = detail::first_where(start, stop, [&](const It1& i) TINE_INLINED -> bool {
              const bool is_equal = std::invoke(pred, std::invoke(proj1, *i), std::invoke(proj2, *j));
              ++j;
              return !is_equal;
            });
            if (at != stop) so_far = begin + static_cast<std::uint64_t>(at - start);
          },
      [n](std::uint64_t& so_far, std::uint64_t later) {
        if (so_far == n) so_far = later;
      },
      [n](std::uint64_t so_far) { return so_far != n; });
  return {detail::nth_item(first1, found), detail::nth_item(first2, found)};
}

/// As `mismatch(first1, last1, first2, last2, pred, proj1, proj2)`, for two ranges.
template <std::ranges::input_range R1, std::ranges::input_range R2, class Pred = std::ranges::equal_to,
          class Proj1 = std::identity, class Proj2 = std::identity>
  requires std::indirectly_comparable<std::ranges::iterator_t<R1>, std::ranges::iterator_t<R2>, Pred, Proj1, Proj2>
TINE_ALWAYS_INLINE
    std::ranges::mismatch_result<std::ranges::borrowed_iterator_t<R1>, std::ranges::borrowed_iterator_t<R2>>
    mismatch(R1&& r1, R2&& r2, Pred pred = {}, Proj1 proj1 = {}, Proj2 proj2 = {}) {
  static_assert(detail::check_range<R1>() && detail::check_range<R2>());
  auto at = tine::mismatch(std::ranges::begin(r1), std::ranges::end(r1), std::ranges::begin(r2), std::ranges::end(r2),
                           std::move(pred), std::move(proj1), std::move(proj2));
  return {std::move(at.in1), std::move(at.in2)};
}

}  // namespace tine
