// for_each: calls a function for each item.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>

#include <utility>

namespace tine {

/// Calls `f` with the projection of each item in [first, last), possibly in parallel, and drops its results. Returns
/// the end and `f`. As `std::ranges::for_each`, but several workers call copies of `f`, so `f` must be callable as
/// const and cannot collect a state.
///
/// Work O(n), span O(log n), no memory. `f` and `proj` are called once for each item, as const, on several workers at
/// once; on one worker in the order of the items. Exceptions and stop requests are as in `par_for`: the exception of
/// the first item that throws is rethrown.
///
/// Source: `par_for` over the items.
template <std::input_iterator It, std::sentinel_for<It> End, class Proj = std::identity,
          std::indirectly_unary_invocable<std::projected<It, Proj>> F>
TINE_ALWAYS_INLINE std::ranges::for_each_result<It, F> for_each(It first, End last, F f, Proj proj = {}) {
  static_assert(detail::check_iterators<It, End>());
  static_assert(detail::check_callable<F, std::indirect_result_t<Proj&, It>>());
  const std::uint64_t n = detail::items_between(first, last);
  detail::for_each_chunk(n, [first, f, proj](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
    for (It i = detail::nth_item(first, begin), stop = detail::nth_item(first, end); i != stop; ++i) {
      static_cast<void>(std::invoke(f, std::invoke(proj, *i)));
    }
  });
  return {detail::nth_item(first, n), std::move(f)};
}

/// As `for_each(first, last, f, proj)`, for a range.
template <std::ranges::input_range R, class Proj = std::identity,
          std::indirectly_unary_invocable<std::projected<std::ranges::iterator_t<R>, Proj>> F>
TINE_ALWAYS_INLINE std::ranges::for_each_result<std::ranges::borrowed_iterator_t<R>, F> for_each(R&& r, F f,
                                                                                                 Proj proj = {}) {
  static_assert(detail::check_range<R>());
  auto done = tine::for_each(std::ranges::begin(r), std::ranges::end(r), std::move(f), std::move(proj));
  return {std::move(done.in), std::move(done.fun)};
}

}  // namespace tine
