// set_intersection: the items that two sorted ranges have in common.
#pragma once

#include <tine/detail/algo/run_set_operation.hpp>

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace tine {

/// Copies the items that are in both of two sorted ranges to `out`, in order, possibly in parallel. If an item is m
/// times in the first range and n times in the second one, it copies the first min(m, n) of those m. As
/// `std::ranges::set_intersection`. The output must not overlap the ranges.
///
/// Work O(n1 + n2), span O(log^2 (n1 + n2)), memory O(results of stolen parts): a worker that begins in the middle does
/// not know how many results precede its own, so it keeps them until it does. One worker writes all results at once,
/// and takes no memory. `comp` is called at most twice for each item, and O(log n) times for each stolen part;
/// callables are called as const, on several workers at once. Exceptions and stop requests are as in `par_for`; the
/// output then has any of the results.
///
/// Source: the sequential merge, split at its states by co-ranking (Siebert–Träff 2014).
template <std::input_iterator It1, std::sentinel_for<It1> End1, std::input_iterator It2, std::sentinel_for<It2> End2,
          std::weakly_incrementable Out, class Comp = std::ranges::less, class Proj1 = std::identity,
          class Proj2 = std::identity>
  requires std::mergeable<It1, It2, Out, Comp, Proj1, Proj2>
TINE_ALWAYS_INLINE std::ranges::set_intersection_result<It1, It2, Out> set_intersection(
    It1 first1, End1 last1, It2 first2, End2 last2, Out out, Comp comp = {}, Proj1 proj1 = {}, Proj2 proj2 = {}) {
  return detail::set_operation_between<detail::set_operation{false, true, false}>(
      std::move(first1), std::move(last1), std::move(first2), std::move(last2), std::move(out), std::move(comp),
      std::move(proj1), std::move(proj2));
}

/// As `set_intersection(first1, last1, first2, last2, out, comp, proj1, proj2)`, for two ranges.
template <std::ranges::input_range R1, std::ranges::input_range R2, std::weakly_incrementable Out,
          class Comp = std::ranges::less, class Proj1 = std::identity, class Proj2 = std::identity>
  requires std::mergeable<std::ranges::iterator_t<R1>, std::ranges::iterator_t<R2>, Out, Comp, Proj1, Proj2>
TINE_ALWAYS_INLINE std::ranges::set_intersection_result<std::ranges::borrowed_iterator_t<R1>,
                                                        std::ranges::borrowed_iterator_t<R2>, Out>
set_intersection(R1&& r1, R2&& r2, Out out, Comp comp = {}, Proj1 proj1 = {}, Proj2 proj2 = {}) {
  static_assert(detail::check_range<R1>() && detail::check_range<R2>());
  return tine::set_intersection(std::ranges::begin(r1), std::ranges::end(r1), std::ranges::begin(r2),
                                std::ranges::end(r2), std::move(out), std::move(comp), std::move(proj1),
                                std::move(proj2));
}

}  // namespace tine
