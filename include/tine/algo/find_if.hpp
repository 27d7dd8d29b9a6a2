// find_if: the first item that satisfies a predicate.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/first_where.hpp>
#include <tine/detail/algo/fold_chunks.hpp>

namespace tine {

/// Returns an iterator to the first item in [first, last) for whose projection `pred` returns true, or the end. As
/// `std::ranges::find_if`. Items after the first one that is found are not looked at, but for those that other workers
/// look at meanwhile: these stop at the end of their chunk.
///
/// Work O(k) on one worker and O(n) at most, k being the position of the result; span O(log n); no memory. `pred` and
/// `proj` are called at most once for each item, as const, on several workers at once. Exceptions and stop requests are
/// as in `par_for`; an exception for an item after the result is dropped.
///
/// Source: a reduction that ends early.
template <std::input_iterator It, std::sentinel_for<It> End, class Proj = std::identity,
          std::indirect_unary_predicate<std::projected<It, Proj>> Pred>
TINE_ALWAYS_INLINE It find_if(It first, End last, Pred pred, Proj proj = {}) {
  static_assert(detail::check_iterators<It, End>());
  static_assert(detail::check_callable<Pred, std::indirect_result_t<Proj&, It>>());
  const std::uint64_t n = detail::items_between(first, last);
  // The result of a subrange is the position of its first item that satisfies the predicate; n if there is none.
  const std::uint64_t found = detail::fold_chunks_until(
      n, [n] { return n; },
      [first, n, pred, proj](std::uint64_t& so_far, std::uint64_t begin, std::uint64_t end) TINE_INLINED {
        if (so_far != n) return;
        const It start = detail::nth_item(first, begin), stop = detail::nth_item(first, end);
        const It i = detail::first_where(start, stop, [&pred, &proj](const It& at) TINE_INLINED -> bool {
          return std::invoke(pred, std::invoke(proj, *at));
        });
        if (i != stop) so_far = begin + static_cast<std::uint64_t>(i - start);
      },
      [n](std::uint64_t& so_far, std::uint64_t later) {
        if (so_far == n) so_far = later;
      },
      [n](std::uint64_t so_far) { return so_far != n; });
  return detail::nth_item(first, found);
}

/// As `find_if(first, last, pred, proj)`, for a range.
template <std::ranges::input_range R, class Proj = std::identity,
          std::indirect_unary_predicate<std::projected<std::ranges::iterator_t<R>, Proj>> Pred>
TINE_ALWAYS_INLINE std::ranges::borrowed_iterator_t<R> find_if(R&& r, Pred pred, Proj proj = {}) {
  static_assert(detail::check_range<R>());
  return tine::find_if(std::ranges::begin(r), std::ranges::end(r), std::move(pred), std::move(proj));
}

}  // namespace tine
