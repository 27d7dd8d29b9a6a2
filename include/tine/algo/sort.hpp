// sort: puts a range in order.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/projected_less.hpp>
#include <tine/detail/algo/quicksort.hpp>

#include <functional>
#include <iterator>
#include <utility>

namespace tine {

/// Sorts the items in [first, last) by `comp` on their projections, possibly in parallel, and returns the end. As
/// `std::ranges::sort`: equal items end in any order, and this order may differ from run to run.
///
/// Work O(n log n), no memory but the stack, and span O(log^3 n) but for improbable inputs. A range that is in order,
/// or in the reverse order, takes O(n). A subrange whose pivots are bad too often is sorted by one worker, with a heap.
/// `comp` and `proj` are called as const, on several workers at once. If they throw, or the strand is stopped, all
/// items are in the range, in some order.
///
/// Source: quicksort with the pivots, the peeled equal keys and the broken patterns of pdqsort (Peters 2021), and
/// partitions without branches (Edelkamp–Weiss 2016).
template <std::random_access_iterator It, std::sentinel_for<It> End, class Comp = std::ranges::less,
          class Proj = std::identity>
  requires std::sortable<It, Comp, Proj>
It sort(It first, End last, Comp comp = {}, Proj proj = {}) {
  static_assert(detail::check_iterators<It, End>());
  using key = std::indirect_result_t<Proj&, It>;
  static_assert(detail::check_callable<Comp, key, key>() && detail::check_callable<Proj, std::iter_reference_t<It>>());
  const It end = detail::nth_item(first, detail::items_between(first, last));
  const detail::projected_less less{std::move(comp), std::move(proj)};
  detail::sort_range(detail::plain_iterator(first), detail::plain_iterator(end), less);
  return end;
}

/// As `sort(first, last, comp, proj)`, for a range.
template <std::ranges::random_access_range R, class Comp = std::ranges::less, class Proj = std::identity>
  requires std::sortable<std::ranges::iterator_t<R>, Comp, Proj>
std::ranges::borrowed_iterator_t<R> sort(R&& r, Comp comp = {}, Proj proj = {}) {
  static_assert(detail::check_range<R>());
  return tine::sort(std::ranges::begin(r), std::ranges::end(r), std::move(comp), std::move(proj));
}

}  // namespace tine
