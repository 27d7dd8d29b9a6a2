// inclusive_scan: the sum of all items up to and including each one.
#pragma once

#include <tine/detail/algo/scan_chunks.hpp>

namespace tine {

/// Writes to `out[k]`, for each k, the sum `op(... op(op(init, first[0]), first[1]) ..., first[k])`, computed possibly
/// in parallel. As `std::inclusive_scan`, but returns both ends. The sums have the type of `init`. `out` may be equal
/// to `first`.
///
/// `op` must be associative; it need not be commutative. (Floating-point sums depend on the grouping, and so on the
/// schedule.)
///
/// On one worker this is the sequential scan: n calls of `op`, no memory. Items that another worker takes are read
/// twice: first they are added up in blocks, then they are scanned. So the work is O(n), with at most 2 n + O(P log n)
/// calls of `op` on P workers; the span is O(log n) calls, as long as blocks of some microseconds count as one; a
/// stolen series takes memory for at most 256 sums. `op` is called as const, on several workers at once. An exception
/// of `op` is rethrown; then the output is unspecified. Stop requests are as in `par_for`.
///
/// Source: the adaptive prefix of Traoré, Roch, Maillard, Gautier and Bernard (Euro-Par 2008), with the sums of a
/// stolen series as blocks.
template <std::input_iterator It, std::sentinel_for<It> End, std::weakly_incrementable Out, class Op, class T>
  requires detail::sums<Op, T, std::iter_reference_t<It>> && std::indirectly_writable<Out, const T&>
TINE_ALWAYS_INLINE std::ranges::in_out_result<It, Out> inclusive_scan(It first, End last, Out out, Op op, T init) {
  static_assert(detail::check_iterators<It, End>() && detail::check_iterators<Out>());
  const std::uint64_t n = detail::items_between(first, last);
  detail::scan_chunks<true, T>(n, first, out, std::move(op), std::identity{}, std::move(init));
  return {detail::nth_item(first, n), detail::nth_item(out, n)};
}

/// As `inclusive_scan(first, last, out, op, init)`, but begins with the first item. The sums have the type of the
/// items.
template <std::input_iterator It, std::sentinel_for<It> End, std::weakly_incrementable Out, class Op = std::plus<>>
  requires detail::sums<Op, std::iter_value_t<It>, std::iter_reference_t<It>> &&
           std::indirectly_writable<Out, const std::iter_value_t<It>&>
TINE_ALWAYS_INLINE std::ranges::in_out_result<It, Out> inclusive_scan(It first, End last, Out out, Op op = {}) {
  static_assert(detail::check_iterators<It, End>() && detail::check_iterators<Out>());
  const std::uint64_t n = detail::items_between(first, last);
  detail::scan_chunks<true, std::iter_value_t<It>>(n, first, out, std::move(op), std::identity{}, detail::no_init{});
  return {detail::nth_item(first, n), detail::nth_item(out, n)};
}

/// As `inclusive_scan(first, last, out, op, init)`, for a range.
template <std::ranges::input_range R, std::weakly_incrementable Out, class Op, class T>
  requires detail::sums<Op, T, std::ranges::range_reference_t<R>> && std::indirectly_writable<Out, const T&>
TINE_ALWAYS_INLINE std::ranges::in_out_result<std::ranges::borrowed_iterator_t<R>, Out> inclusive_scan(R&& r, Out out,
                                                                                                       Op op, T init) {
  static_assert(detail::check_range<R>());
  return tine::inclusive_scan(std::ranges::begin(r), std::ranges::end(r), std::move(out), std::move(op),
                              std::move(init));
}

/// As `inclusive_scan(first, last, out, op)`, for a range.
template <std::ranges::input_range R, std::weakly_incrementable Out, class Op = std::plus<>>
  requires detail::sums<Op, std::ranges::range_value_t<R>, std::ranges::range_reference_t<R>> &&
           std::indirectly_writable<Out, const std::ranges::range_value_t<R>&>
TINE_ALWAYS_INLINE std::ranges::in_out_result<std::ranges::borrowed_iterator_t<R>, Out> inclusive_scan(R&& r, Out out,
                                                                                                       Op op = {}) {
  static_assert(detail::check_range<R>());
  return tine::inclusive_scan(std::ranges::begin(r), std::ranges::end(r), std::move(out), std::move(op));
}

}  // namespace tine
