// stable_sort: puts a range in order, and keeps the order of equal items.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/merge_sort.hpp>
#include <tine/detail/algo/monotone.hpp>
#include <tine/detail/algo/projected_less.hpp>

#include <functional>
#include <iterator>
#include <utility>

namespace tine {

/// Sorts the items in [first, last) by `comp` on their projections, possibly in parallel, and returns the end; equal
/// items keep their order. As `std::ranges::stable_sort`, but throws std::bad_alloc if there is no memory for as many
/// items.
///
/// Work O(n log n), span O(log^3 n), memory for n items, and for 2n flags if they are not trivially copyable. A range
/// that is in order, or in the reverse order, takes O(n) and no memory. `comp` and `proj` are called as const, on
/// several workers at once. If they throw, or the strand is stopped, all items are in the range, in some order.
///
/// Source: merge sort with parallel merges (Cormen et al., chapter 26), which begin at any place of the output by
/// co-ranking (Siebert–Träff 2014).
template <std::random_access_iterator It, std::sentinel_for<It> End, class Comp = std::ranges::less,
          class Proj = std::identity>
  requires std::sortable<It, Comp, Proj>
It stable_sort(It first, End last, Comp comp = {}, Proj proj = {}) {
  static_assert(detail::check_iterators<It, End>());
  using key = std::indirect_result_t<Proj&, It>;
  static_assert(detail::check_callable<Comp, key, key>() && detail::check_callable<Proj, std::iter_reference_t<It>>());
  const std::uint64_t n = detail::items_between(first, last);
  const It end = detail::nth_item(first, n);
  const detail::projected_less less{std::move(comp), std::move(proj)};
  const auto begin = detail::plain_iterator(first), stop = detail::plain_iterator(end);
  if (n <= static_cast<std::uint64_t>(detail::most_small_items<decltype(begin)>)) {
    detail::small_sort(begin, stop, less);
  } else if (!detail::order_if_monotone<true>(begin, stop, less)) {
    detail::merge_sort(begin, stop, less);
  }
  return end;
}

/// As `stable_sort(first, last, comp, proj)`, for a range.
template <std::ranges::random_access_range R, class Comp = std::ranges::less, class Proj = std::identity>
  requires std::sortable<std::ranges::iterator_t<R>, Comp, Proj>
std::ranges::borrowed_iterator_t<R> stable_sort(R&& r, Comp comp = {}, Proj proj = {}) {
  static_assert(detail::check_range<R>());
  return tine::stable_sort(std::ranges::begin(r), std::ranges::end(r), std::move(comp), std::move(proj));
}

}  // namespace tine
