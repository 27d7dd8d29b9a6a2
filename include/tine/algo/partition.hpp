// partition: moves the items that satisfy a predicate before all others.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/partition_range.hpp>
#include <tine/detail/algo/projected_less.hpp>

#include <functional>
#include <iterator>
#include <ranges>
#include <utility>

namespace tine {

/// Moves the items in [first, last) for whose projection `pred` returns true before all others, possibly in parallel,
/// and returns the subrange of the others. As `std::ranges::partition`: both parts are in any order, and this order may
/// differ from run to run.
///
/// Work O(n), span O(log^2 n), no memory. `pred` and `proj` are called as const, on several workers at once: once for
/// each item, and again for a few of them in every chunk. If they throw, or the strand is stopped, all items are in the
/// range, in some order.
///
/// Source: Lomuto's scheme without branches for cheap items; for others, partitions in blocks from both ends
/// (Edelkamp–Weiss 2016), of which each worker has two zones (Francis–Pannan 1992).
template <std::permutable It, std::sentinel_for<It> End, class Proj = std::identity,
          std::indirect_unary_predicate<std::projected<It, Proj>> Pred>
std::ranges::subrange<It> partition(It first, End last, Pred pred, Proj proj = {}) {
  static_assert(detail::check_iterators<It, End>());
  static_assert(detail::check_callable<Pred, std::indirect_result_t<Proj&, It>>());
  const std::uint64_t n = detail::items_between(first, last);
  const auto holds = [kept_pred = detail::kept_callable{pred}, kept_proj = detail::kept_callable{proj}](auto&& item)
                         TINE_INLINED {
                           return static_cast<bool>(std::invoke(
                               kept_pred.call, std::invoke(kept_proj.call, std::forward<decltype(item)>(item))));
                         };
  const auto begin = detail::plain_iterator(first);
  const auto middle = detail::partition_range(begin, detail::nth_item(begin, n), holds, true).middle;
  return {first + (middle - begin), detail::nth_item(first, n)};
}

/// As `partition(first, last, pred, proj)`, for a range.
template <std::ranges::forward_range R, class Proj = std::identity,
          std::indirect_unary_predicate<std::projected<std::ranges::iterator_t<R>, Proj>> Pred>
  requires std::permutable<std::ranges::iterator_t<R>>
std::ranges::borrowed_subrange_t<R> partition(R&& r, Pred pred, Proj proj = {}) {
  static_assert(detail::check_range<R>());
  return tine::partition(std::ranges::begin(r), std::ranges::end(r), std::move(pred), std::move(proj));
}

}  // namespace tine
