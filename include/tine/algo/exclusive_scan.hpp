// exclusive_scan, transform_exclusive_scan: the sum of all items before each one.
#pragma once

#include <tine/detail/algo/scan_chunks.hpp>

#include <algorithm>
#include <functional>
#include <utility>

namespace tine {
namespace detail {

struct exclusive_scan_function {
  template <std::input_iterator It, std::sentinel_for<It> End, std::weakly_incrementable Out, class T,
            class Op = std::plus<>>
    requires sums<Op, T, std::iter_reference_t<It>> && std::indirectly_writable<Out, T>
  TINE_ALWAYS_INLINE std::ranges::in_out_result<It, Out> operator()(It first, End last, Out out, T init,
                                                                    Op op = {}) const {
    static_assert(check_iterators<It, End>() && check_iterators<Out>());
    const std::uint64_t n = items_between(first, last);
    scan_chunks<false, T>(n, first, out, std::move(op), std::identity{}, std::move(init));
    return {nth_item(first, n), nth_item(out, n)};
  }
  template <std::ranges::input_range R, std::weakly_incrementable Out, class T, class Op = std::plus<>>
    requires sums<Op, T, std::ranges::range_reference_t<R>> && std::indirectly_writable<Out, T>
  TINE_ALWAYS_INLINE std::ranges::in_out_result<std::ranges::borrowed_iterator_t<R>, Out> operator()(R&& r, Out out,
                                                                                                     T init,
                                                                                                     Op op = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(out), std::move(init), std::move(op));
  }
};

struct transform_exclusive_scan_function {
  template <std::input_iterator It, std::sentinel_for<It> End, std::weakly_incrementable Out, class T, class Op,
            class F>
    requires std::invocable<F&, std::iter_reference_t<It>> &&
             sums<Op, T, std::invoke_result_t<F&, std::iter_reference_t<It>>> && std::indirectly_writable<Out, T>
  TINE_ALWAYS_INLINE std::ranges::in_out_result<It, Out> operator()(It first, End last, Out out, T init, Op op,
                                                                    F f) const {
    static_assert(check_iterators<It, End>() && check_iterators<Out>());
    const std::uint64_t n = items_between(first, last);
    scan_chunks<false, T>(n, first, out, std::move(op), std::move(f), std::move(init));
    return {nth_item(first, n), nth_item(out, n)};
  }
  template <std::ranges::input_range R, std::weakly_incrementable Out, class T, class Op, class F>
    requires std::invocable<F&, std::ranges::range_reference_t<R>> &&
             sums<Op, T, std::invoke_result_t<F&, std::ranges::range_reference_t<R>>> &&
             std::indirectly_writable<Out, T>
  TINE_ALWAYS_INLINE std::ranges::in_out_result<std::ranges::borrowed_iterator_t<R>, Out> operator()(R&& r, Out out,
                                                                                                     T init, Op op,
                                                                                                     F f) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(out), std::move(init), std::move(op),
                   std::move(f));
  }
};

}  // namespace detail

/// Writes to `out[k]`, for each k, the sum of all items before the k-th: `op(... op(op(init, first[0]), first[1]) ...,
/// first[k - 1])`, and `init` to `out[0]`, possibly in parallel. As `std::exclusive_scan`, but returns both ends. The
/// sums have the type of `init`. `out` may be equal to `first`.
///
///     tine::exclusive_scan(first, last, out, init, op = {})
///     tine::exclusive_scan(range, out, init, op = {})
///
/// Everything else is as in `inclusive_scan`. `op` must be associative and need not be commutative. Work O(n), span
/// O(log n). Items that another worker takes are read twice. An exception of `op` is rethrown, and leaves the output
/// unspecified.
///
/// Source: as `inclusive_scan`.
inline constexpr detail::exclusive_scan_function exclusive_scan{};

/// Writes to `out[k]`, for each k, the sum `op(... op(op(init, f(first[0])), f(first[1])) ..., f(first[k - 1]))`, and
/// `init` to `out[0]`, computed possibly in parallel. As `std::transform_exclusive_scan`, but returns both ends. The
/// sums have the type of `init`. `out` may be equal to `first`.
///
///     tine::transform_exclusive_scan(first, last, out, init, op, f)
///     tine::transform_exclusive_scan(range, out, init, op, f)
///
/// `f` is called once for each item, and a second time for items that another worker takes, as const, on several
/// workers at once. Everything else is as in `exclusive_scan`.
///
/// Source: as `inclusive_scan`.
inline constexpr detail::transform_exclusive_scan_function transform_exclusive_scan{};

}  // namespace tine
