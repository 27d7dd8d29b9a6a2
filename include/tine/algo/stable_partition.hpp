// stable_partition: moves the items that satisfy a predicate before all others, and keeps their order.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/projected_less.hpp>
#include <tine/detail/algo/stable_series.hpp>

#include <algorithm>
#include <functional>
#include <utility>

namespace tine {
namespace detail {

struct stable_partition_function {
  template <std::bidirectional_iterator It, std::sentinel_for<It> End, class Proj = std::identity,
            std::indirect_unary_predicate<std::projected<It, Proj>> Pred>
    requires std::permutable<It>
  std::ranges::subrange<It> operator()(It first, End last, Pred pred, Proj proj = {}) const {
    static_assert(check_iterators<It, End>());
    static_assert(check_callable<Pred, std::indirect_result_t<Proj&, It>>());
    const std::uint64_t n = items_between(first, last);
    const std::uint64_t middle =
        stable_partition_range(plain_iterator(first), n, [pred, proj](auto&& item) TINE_INLINED {
          return static_cast<bool>(std::invoke(pred, std::invoke(proj, std::forward<decltype(item)>(item))));
        });
    return {nth_item(first, middle), nth_item(first, n)};
  }
  template <std::ranges::bidirectional_range R, class Proj = std::identity,
            std::indirect_unary_predicate<std::projected<std::ranges::iterator_t<R>, Proj>> Pred>
    requires std::permutable<std::ranges::iterator_t<R>>
  std::ranges::borrowed_subrange_t<R> operator()(R&& r, Pred pred, Proj proj = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(pred), std::move(proj));
  }
};

}  // namespace detail

/// Moves the items whose projection satisfies `pred` before all others, possibly in parallel, and returns the subrange
/// of the others; the items of both parts keep their order. As `std::ranges::stable_partition`, but throws
/// std::bad_alloc if there is no memory for as many items.
///
///     tine::stable_partition(first, last, pred, proj = {})
///     tine::stable_partition(range, pred, proj = {})
///
/// Work O(n), span O(log n) and that of moving a subrange for each stolen part. The items that don't satisfy `pred` are
/// in a buffer meanwhile; without stolen parts only they move twice. If moves may throw, the last moves are those of
/// one worker. `pred` and `proj` are called once for each item, as const, on several workers at once. If they throw, or
/// the strand is stopped, all items are in the range, in some order.
///
/// Source: the sequential partition with a buffer, for each stolen part.
inline constexpr detail::stable_partition_function stable_partition{};

}  // namespace tine
