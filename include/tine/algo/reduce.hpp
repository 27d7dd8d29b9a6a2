// reduce: combines all items by an operation.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/reduce_values.hpp>
#include <tine/managed/reproducible.hpp>

#include <utility>

namespace tine {

/// Returns `op(init, op(item 0, op(item 1, ...)))` over the items in [first, last), in any grouping, computed possibly
/// in parallel. As `std::reduce`, but the order of the items is kept, so `op` need not be commutative; it must be
/// associative. `op` takes two values of type `T`, or a `T` and an item, and its result converts to `T`; an item must
/// convert to `T`.
///
/// The grouping of the items depends on where other workers take a part, so a sum of floating-point numbers may differ
/// in its last digits from run to run; on one worker it is the same in every run. (`std::plus` of floating-point
/// numbers is commutative, so its order is not kept.)
///
/// Work O(n), span O(log n), no memory, if a call of `op` takes O(1). `op` is called once for each item, as const, on
/// several workers at once. Exceptions and stop requests are as in `par_for`.
///
/// Source: Blelloch 1990.
template <std::input_iterator It, std::sentinel_for<It> End, class T = std::iter_value_t<It>, class Op = std::plus<>>
  requires detail::reduction_of<Op, T, std::iter_reference_t<It>>
TINE_ALWAYS_INLINE T reduce(It first, End last, T init = T{}, Op op = {}) {
  static_assert(detail::check_iterators<It, End>());
  static_assert(detail::check_callable<Op, T, T>() && detail::check_callable<Op, T, std::iter_reference_t<It>>());
  return detail::reduce_values(first, detail::items_between(first, last), std::move(init), std::move(op),
                               [](const It& i) TINE_INLINED -> decltype(auto) { return *i; });
}

/// As `reduce(first, last, init, op)`, for a range.
template <std::ranges::input_range R, class T = std::ranges::range_value_t<R>, class Op = std::plus<>>
  requires detail::reduction_of<Op, T, std::ranges::range_reference_t<R>>
TINE_ALWAYS_INLINE T reduce(R&& r, T init = T{}, Op op = {}) {
  static_assert(detail::check_range<R>());
  return tine::reduce(std::ranges::begin(r), std::ranges::end(r), std::move(init), std::move(op));
}

/// As `reduce(first, last, init, op)`, but the grouping depends on the number of items alone: the balanced tree of
/// `par_reduce(tine::reproducible, ...)`. So the result has the same bits in every schedule, and the order is kept for
/// floating-point numbers, too.
template <std::input_iterator It, std::sentinel_for<It> End, class T = std::iter_value_t<It>, class Op = std::plus<>>
  requires detail::reduction_of<Op, T, std::iter_reference_t<It>>
TINE_ALWAYS_INLINE T reduce(reproducible_t, It first, End last, T init = T{}, Op op = {}) {
  static_assert(detail::check_iterators<It, End>());
  static_assert(detail::check_callable<Op, T, T>());
  const It stop = detail::nth_item(first, detail::items_between(first, last));
  return par_reduce(
      reproducible, first, stop, std::move(init), [](auto&& item) -> T { return static_cast<T>(item); },
      [op](T a, T b) -> T { return static_cast<T>(std::invoke(op, std::move(a), std::move(b))); });
}

/// As `reduce(tine::reproducible, first, last, init, op)`, for a range.
template <std::ranges::input_range R, class T = std::ranges::range_value_t<R>, class Op = std::plus<>>
  requires detail::reduction_of<Op, T, std::ranges::range_reference_t<R>>
TINE_ALWAYS_INLINE T reduce(reproducible_t, R&& r, T init = T{}, Op op = {}) {
  static_assert(detail::check_range<R>());
  return tine::reduce(reproducible, std::ranges::begin(r), std::ranges::end(r), std::move(init), std::move(op));
}

}  // namespace tine
