// fold_left, fold_left_first, fold_right, fold_right_last: combine all items by an associative operation.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/reduce_values.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

namespace tine {
namespace detail {

/// Returns `op` over `n` items from `first` on, at least one.
template <class Sum, class It, class Op>
TINE_ALWAYS_INLINE Sum fold_items(It first, std::uint64_t n, Op op) {
  static_assert(check_callable<Op, Sum, std::iter_reference_t<It>>() && check_callable<Op, Sum, Sum>());
  return reduce_values(nth_item(first, 1), n - 1, Sum(*first), std::move(op),
                       [](const It& i) TINE_INLINED -> decltype(auto) { return *i; });
}

/// The type of a fold that combines a `Left` with a `Right`, one of which is an item.
template <class Op, class Left, class Right>
using fold_of = std::decay_t<std::invoke_result_t<Op&, Left, Right>>;

struct fold_left_function {
  template <std::input_iterator It, std::sentinel_for<It> End, class T, std::copy_constructible Op>
    requires reduction_of<Op, fold_of<Op, T, std::iter_reference_t<It>>, std::iter_reference_t<It>> &&
             std::convertible_to<T, fold_of<Op, T, std::iter_reference_t<It>>>
  TINE_ALWAYS_INLINE auto operator()(It first, End last, T init, Op op) const {
    using sum = fold_of<Op, T, std::iter_reference_t<It>>;
    static_assert(check_iterators<It, End>());
    static_assert(check_callable<Op, sum, std::iter_reference_t<It>>() && check_callable<Op, sum, sum>());
    return reduce_values(first, items_between(first, last), static_cast<sum>(std::move(init)), std::move(op),
                         [](const It& i) TINE_INLINED -> decltype(auto) { return *i; });
  }
  template <std::ranges::input_range R, class T, std::copy_constructible Op>
  TINE_ALWAYS_INLINE auto operator()(R&& r, T init, Op op) const
    requires std::invocable<const fold_left_function&, std::ranges::iterator_t<R>, std::ranges::sentinel_t<R>, T, Op>
  {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(init), std::move(op));
  }
};

struct fold_right_function {
  template <std::input_iterator It, std::sentinel_for<It> End, class T, std::copy_constructible Op>
    requires reduction_of<Op, fold_of<Op, std::iter_reference_t<It>, T>, std::iter_reference_t<It>> &&
             std::convertible_to<T, fold_of<Op, std::iter_reference_t<It>, T>>
  TINE_ALWAYS_INLINE auto operator()(It first, End last, T init, Op op) const {
    using sum = fold_of<Op, std::iter_reference_t<It>, T>;
    static_assert(check_iterators<It, End>());
    const std::uint64_t n = items_between(first, last);
    if (n == 0) return static_cast<sum>(std::move(init));
    return combined<sum>(op, fold_items<sum>(first, n, op), static_cast<sum>(std::move(init)));
  }
  template <std::ranges::input_range R, class T, std::copy_constructible Op>
  TINE_ALWAYS_INLINE auto operator()(R&& r, T init, Op op) const
    requires std::invocable<const fold_right_function&, std::ranges::iterator_t<R>, std::ranges::sentinel_t<R>, T, Op>
  {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(init), std::move(op));
  }
};

struct fold_left_first_function {
  template <std::input_iterator It, std::sentinel_for<It> End, std::copy_constructible Op>
    requires reduction_of<Op, std::iter_value_t<It>, std::iter_reference_t<It>>
  TINE_ALWAYS_INLINE std::optional<std::iter_value_t<It>> operator()(It first, End last, Op op) const {
    static_assert(check_iterators<It, End>());
    const std::uint64_t n = items_between(first, last);
    if (n == 0) return std::nullopt;
    return fold_items<std::iter_value_t<It>>(first, n, std::move(op));
  }
  template <std::ranges::input_range R, std::copy_constructible Op>
    requires reduction_of<Op, std::ranges::range_value_t<R>, std::ranges::range_reference_t<R>>
  TINE_ALWAYS_INLINE std::optional<std::ranges::range_value_t<R>> operator()(R&& r, Op op) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(op));
  }
};

}  // namespace detail

/// Returns `op(... op(op(init, x1), x2) ..., xn)` over the items, computed possibly in parallel, with the type that
/// `op` returns for `init` and an item. As `std::ranges::fold_left` of C++23, if `op` is associative.
///
///     tine::fold_left(first, last, init, op)
///     tine::fold_left(range, init, op)
///
/// `op` must be associative, but need not be commutative: workers combine parts of the range, so `op` also takes two
/// results, and a result is made of an item. We can't check that. Where each step needs the one before it, as in `sum *
/// 10 + digit`, use `std::ranges::fold_left`. Everything else is as in `reduce`, which returns the type of `init`.
///
/// Source: Blelloch 1990.
inline constexpr detail::fold_left_function fold_left{};

/// As `fold_left`, but starts with the first item; an empty range has no result. As `std::ranges::fold_left_first`.
///
///     tine::fold_left_first(first, last, op)
///     tine::fold_left_first(range, op)
inline constexpr detail::fold_left_first_function fold_left_first{};

/// Returns `op(x1, op(x2, ... op(xn, init)))` over the items. As `std::ranges::fold_right`, if `op` is associative;
/// everything else is as in `fold_left`.
///
///     tine::fold_right(first, last, init, op)
///     tine::fold_right(range, init, op)
inline constexpr detail::fold_right_function fold_right{};

/// As `fold_right`, but starts with the last item; an empty range has no result. As `std::ranges::fold_right_last`. (An
/// associative operation gives the result of `fold_left_first`.)
///
///     tine::fold_right_last(first, last, op)
///     tine::fold_right_last(range, op)
inline constexpr detail::fold_left_first_function fold_right_last{};

}  // namespace tine
