// count_if: the number of items that satisfy a predicate.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>

namespace tine {

/// Returns the number of items in [first, last) for whose projection `pred` returns true, counted possibly in parallel.
/// As `std::ranges::count_if`.
///
/// Work O(n), span O(log n), no memory. `pred` and `proj` are called once for each item, as const, on several workers
/// at once. Exceptions and stop requests are as in `par_for`: the exception of the first item that throws is rethrown.
///
/// Source: a reduction (Blelloch 1990).
template <std::input_iterator It, std::sentinel_for<It> End, class Proj = std::identity,
          std::indirect_unary_predicate<std::projected<It, Proj>> Pred>
TINE_ALWAYS_INLINE std::iter_difference_t<It> count_if(It first, End last, Pred pred, Proj proj = {}) {
  static_assert(detail::check_iterators<It, End>());
  static_assert(detail::check_callable<Pred, std::indirect_result_t<Proj&, It>>());
  using count = std::iter_difference_t<It>;
  return detail::fold_chunks(
      detail::items_between(first, last), [] { return count{0}; },
      [first, pred, proj](count& so_far, std::uint64_t begin, std::uint64_t end) TINE_INLINED {
        count found = 0;
        for (It i = detail::nth_item(first, begin), stop = detail::nth_item(first, end); i != stop; ++i) {
          if (std::invoke(pred, std::invoke(proj, *i))) ++found;
        }
        so_far += found;
      },
      [](count& so_far, count later) { so_far += later; });
}

/// As `count_if(first, last, pred, proj)`, for a range.
template <std::ranges::input_range R, class Proj = std::identity,
          std::indirect_unary_predicate<std::projected<std::ranges::iterator_t<R>, Proj>> Pred>
TINE_ALWAYS_INLINE std::ranges::range_difference_t<R> count_if(R&& r, Pred pred, Proj proj = {}) {
  static_assert(detail::check_range<R>());
  return tine::count_if(std::ranges::begin(r), std::ranges::end(r), std::move(pred), std::move(proj));
}

}  // namespace tine
