// inclusive_scan: the sum of all items up to and including each one.
#pragma once

#include <tine/detail/algo/scan_chunks.hpp>

namespace tine {
namespace detail {

struct inclusive_scan_function {
  template <std::input_iterator It, std::sentinel_for<It> End, std::weakly_incrementable Out, class Op, class T>
    requires sums<Op, T, std::iter_reference_t<It>> && std::indirectly_writable<Out, const T&>
  TINE_ALWAYS_INLINE std::ranges::in_out_result<It, Out> operator()(It first, End last, Out out, Op op, T init) const {
    static_assert(check_iterators<It, End>() && check_iterators<Out>());
    const std::uint64_t n = items_between(first, last);
    scan_chunks<true, T>(n, first, out, std::move(op), std::identity{}, std::move(init));
    return {nth_item(first, n), nth_item(out, n)};
  }
  template <std::input_iterator It, std::sentinel_for<It> End, std::weakly_incrementable Out, class Op = std::plus<>>
    requires sums<Op, std::iter_value_t<It>, std::iter_reference_t<It>> &&
             std::indirectly_writable<Out, const std::iter_value_t<It>&>
  TINE_ALWAYS_INLINE std::ranges::in_out_result<It, Out> operator()(It first, End last, Out out, Op op = {}) const {
    static_assert(check_iterators<It, End>() && check_iterators<Out>());
    const std::uint64_t n = items_between(first, last);
    scan_chunks<true, std::iter_value_t<It>>(n, first, out, std::move(op), std::identity{}, no_init{});
    return {nth_item(first, n), nth_item(out, n)};
  }
  template <std::ranges::input_range R, std::weakly_incrementable Out, class Op, class T>
    requires sums<Op, T, std::ranges::range_reference_t<R>> && std::indirectly_writable<Out, const T&>
  TINE_ALWAYS_INLINE std::ranges::in_out_result<std::ranges::borrowed_iterator_t<R>, Out> operator()(R&& r, Out out,
                                                                                                     Op op,
                                                                                                     T init) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(out), std::move(op), std::move(init));
  }
  template <std::ranges::input_range R, std::weakly_incrementable Out, class Op = std::plus<>>
    requires sums<Op, std::ranges::range_value_t<R>, std::ranges::range_reference_t<R>> &&
             std::indirectly_writable<Out, const std::ranges::range_value_t<R>&>
  TINE_ALWAYS_INLINE std::ranges::in_out_result<std::ranges::borrowed_iterator_t<R>, Out> operator()(R&& r, Out out,
                                                                                                     Op op = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(out), std::move(op));
  }
};

}  // namespace detail

/// Writes to `out[k]`, for each k, the sum of all items up to the k-th: `op(... op(op(init, first[0]), first[1]) ...,
/// first[k])`, possibly in parallel. As `std::inclusive_scan`, but returns both ends. The sums have the type of `init`.
/// `out` may be equal to `first`.
///
///     tine::inclusive_scan(first, last, out, op, init)
///     tine::inclusive_scan(first, last, out, op = {})
///     tine::inclusive_scan(range, out, op, init)
///     tine::inclusive_scan(range, out, op = {})
///
/// `op` must be associative; it need not be commutative. (Floating-point sums depend on the grouping, and so on the
/// schedule.)
///
/// On one worker this is the sequential scan: n calls of `op`, no memory. Items that another worker takes are read
/// twice: first we add them up in blocks, then we scan them. So the work is O(n), with at most 2 n + O(P log n) calls
/// of `op` on P workers. The span is O(log n) calls, as long as blocks of some microseconds count as one. A stolen
/// series takes memory for at most 256 sums. `op` is called as const, on several workers at once. An exception of `op`
/// is rethrown, and leaves the output unspecified. Stop requests are as in `par_for`.
///
/// As `inclusive_scan(first, last, out, op, init)`, but starts with the first item. The sums have the type of the
/// items.
///
/// Source: the adaptive prefix of Traoré, Roch, Maillard, Gautier and Bernard (Euro-Par 2008), with the sums of a
/// stolen series as blocks.
inline constexpr detail::inclusive_scan_function inclusive_scan{};

}  // namespace tine
