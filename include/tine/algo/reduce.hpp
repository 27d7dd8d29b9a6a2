// reduce: combines all items by an operation.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/reduce_values.hpp>
#include <tine/managed/reproducible.hpp>

#include <utility>

namespace tine {
namespace detail {

struct reduce_function {
  template <std::input_iterator It, std::sentinel_for<It> End, class T = std::iter_value_t<It>, class Op = std::plus<>>
    requires reduction_of<Op, T, std::iter_reference_t<It>>
  TINE_ALWAYS_INLINE T operator()(It first, End last, T init = T{}, Op op = {}) const {
    static_assert(check_iterators<It, End>());
    static_assert(check_callable<Op, T, T>() && check_callable<Op, T, std::iter_reference_t<It>>());
    return reduce_values(first, items_between(first, last), std::move(init), std::move(op),
                         [](const It& i) TINE_INLINED -> decltype(auto) { return *i; });
  }
  template <std::ranges::input_range R, class T = std::ranges::range_value_t<R>, class Op = std::plus<>>
    requires reduction_of<Op, T, std::ranges::range_reference_t<R>>
  TINE_ALWAYS_INLINE T operator()(R&& r, T init = T{}, Op op = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(init), std::move(op));
  }
  template <std::input_iterator It, std::sentinel_for<It> End, class T = std::iter_value_t<It>, class Op = std::plus<>>
    requires reduction_of<Op, T, std::iter_reference_t<It>>
  TINE_ALWAYS_INLINE T operator()(reproducible_t, It first, End last, T init = T{}, Op op = {}) const {
    static_assert(check_iterators<It, End>());
    static_assert(check_callable<Op, T, T>());
    const It stop = nth_item(first, items_between(first, last));
    return par_reduce(
        reproducible, first, stop, std::move(init), [](auto&& item) -> T { return static_cast<T>(item); },
        [op](T a, T b) -> T { return static_cast<T>(std::invoke(op, std::move(a), std::move(b))); });
  }
  template <std::ranges::input_range R, class T = std::ranges::range_value_t<R>, class Op = std::plus<>>
    requires reduction_of<Op, T, std::ranges::range_reference_t<R>>
  TINE_ALWAYS_INLINE T operator()(reproducible_t, R&& r, T init = T{}, Op op = {}) const {
    static_assert(check_range<R>());
    return (*this)(reproducible, std::ranges::begin(r), std::ranges::end(r), std::move(init), std::move(op));
  }
};

}  // namespace detail

/// Returns `op(init, op(item 0, op(item 1, ...)))` over the items in [first, last), in any grouping, computed possibly
/// in parallel. As `std::reduce`, but we keep the order of the items. So `op` must be associative, but need not be
/// commutative. `op` takes two values of type `T`, or a `T` and an item, and its result converts to `T`; so must an
/// item.
///
///     tine::reduce(first, last, init = T{}, op = {})
///     tine::reduce(range, init = T{}, op = {})
///     tine::reduce(tine::reproducible, first, last, init = T{}, op = {})
///     tine::reduce(tine::reproducible, range, init = T{}, op = {})
///
/// The grouping depends on where other workers take a part, so the last digits of a floating-point sum may differ from
/// run to run. On one worker it is the same in every run. (`std::plus` of floating-point numbers is commutative, so we
/// don't keep its order.)
///
/// Work O(n), span O(log n), no memory, if a call of `op` takes O(1). `op` is called once for each item, as const, on
/// several workers at once. Exceptions and stop requests are as in `par_for`.
///
/// As `reduce(first, last, init, op)`, but the grouping depends only on the number of items: it is the balanced tree of
/// `par_reduce(tine::reproducible, ...)`. So the result has the same bits in every schedule. The order is kept for
/// floating-point numbers, too.
///
/// Source: Blelloch 1990.
inline constexpr detail::reduce_function reduce{};

}  // namespace tine
