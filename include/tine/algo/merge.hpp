// merge: two sorted ranges as one.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/merge_in_loop.hpp>
#include <tine/detail/algo/projected_less.hpp>

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace tine {

/// Copies the items of two sorted ranges to `out`, in order, possibly in parallel. Equal items of the first range come
/// first; items of one range keep their order. As `std::ranges::merge`. The output must not overlap the ranges.
///
/// Work O(n1 + n2), span O(log^2 (n1 + n2)), no memory. `comp` is called at most once for each item, and O(log n) times
/// for each stolen part; for cheap items also O(log n) times for each chunk. Callables are called as const, on several
/// workers at once. Exceptions and stop requests are as in `par_for`; the output then has any of the items.
///
/// Source: the sequential merge, split by co-ranking (Siebert–Träff 2014; also known as merge path).
template <std::input_iterator It1, std::sentinel_for<It1> End1, std::input_iterator It2, std::sentinel_for<It2> End2,
          std::weakly_incrementable Out, class Comp = std::ranges::less, class Proj1 = std::identity,
          class Proj2 = std::identity>
  requires std::mergeable<It1, It2, Out, Comp, Proj1, Proj2>
TINE_ALWAYS_INLINE std::ranges::merge_result<It1, It2, Out> merge(It1 first1, End1 last1, It2 first2, End2 last2,
                                                                  Out out, Comp comp = {}, Proj1 proj1 = {},
                                                                  Proj2 proj2 = {}) {
  static_assert(detail::check_iterators<It1, End1>() && detail::check_iterators<It2, End2>() &&
                detail::check_iterators<Out>());
  static_assert(
      detail::check_callable<Comp, std::indirect_result_t<Proj1&, It1>, std::indirect_result_t<Proj2&, It2>>());
  const std::uint64_t n1 = detail::items_between(first1, last1), n2 = detail::items_between(first2, last2);
  const detail::cross_order order{std::move(comp), std::move(proj1), std::move(proj2)};
  detail::merge_in_loop(detail::plain_input<It2>(first1), n1, detail::plain_input<It1>(first2), n2,
                        detail::plain_iterator(out), order, detail::copy_item{});
  return {detail::nth_item(first1, n1), detail::nth_item(first2, n2), detail::nth_item(out, n1 + n2)};
}

/// As `merge(first1, last1, first2, last2, out, comp, proj1, proj2)`, for two ranges.
template <std::ranges::input_range R1, std::ranges::input_range R2, std::weakly_incrementable Out,
          class Comp = std::ranges::less, class Proj1 = std::identity, class Proj2 = std::identity>
  requires std::mergeable<std::ranges::iterator_t<R1>, std::ranges::iterator_t<R2>, Out, Comp, Proj1, Proj2>
TINE_ALWAYS_INLINE
    std::ranges::merge_result<std::ranges::borrowed_iterator_t<R1>, std::ranges::borrowed_iterator_t<R2>, Out>
    merge(R1&& r1, R2&& r2, Out out, Comp comp = {}, Proj1 proj1 = {}, Proj2 proj2 = {}) {
  static_assert(detail::check_range<R1>() && detail::check_range<R2>());
  return tine::merge(std::ranges::begin(r1), std::ranges::end(r1), std::ranges::begin(r2), std::ranges::end(r2),
                     std::move(out), std::move(comp), std::move(proj1), std::move(proj2));
}

}  // namespace tine
