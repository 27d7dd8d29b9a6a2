// exclusive_scan: the sum of all items before each one.
#pragma once

#include <tine/detail/algo/scan_chunks.hpp>

namespace tine {

/// Writes to `out[k]`, for each k, the sum `op(... op(op(init, first[0]), first[1]) ..., first[k - 1])`, computed
/// possibly in parallel; `init` to `out[0]`. As `std::exclusive_scan`, but returns both ends. The sums have the type of
/// `init`. `out` may be equal to `first`.
///
/// Everything else is as in `inclusive_scan`: `op` must be associative and need not be commutative; work O(n), span
/// O(log n); items that another worker takes are read twice; an exception of `op` is rethrown, and leaves the output
/// unspecified.
///
/// Source: as `inclusive_scan`.
template <std::input_iterator It, std::sentinel_for<It> End, std::weakly_incrementable Out, class T,
          class Op = std::plus<>>
  requires detail::sums<Op, T, std::iter_reference_t<It>> && std::indirectly_writable<Out, T>
TINE_ALWAYS_INLINE std::ranges::in_out_result<It, Out> exclusive_scan(It first, End last, Out out, T init, Op op = {}) {
  static_assert(detail::check_iterators<It, End>() && detail::check_iterators<Out>());
  const std::uint64_t n = detail::items_between(first, last);
  detail::scan_chunks<false, T>(n, first, out, std::move(op), std::identity{}, std::move(init));
  return {detail::nth_item(first, n), detail::nth_item(out, n)};
}

/// As `exclusive_scan(first, last, out, init, op)`, for a range.
template <std::ranges::input_range R, std::weakly_incrementable Out, class T, class Op = std::plus<>>
  requires detail::sums<Op, T, std::ranges::range_reference_t<R>> && std::indirectly_writable<Out, T>
TINE_ALWAYS_INLINE std::ranges::in_out_result<std::ranges::borrowed_iterator_t<R>, Out> exclusive_scan(R&& r, Out out,
                                                                                                       T init,
                                                                                                       Op op = {}) {
  static_assert(detail::check_range<R>());
  return tine::exclusive_scan(std::ranges::begin(r), std::ranges::end(r), std::move(out), std::move(init),
                              std::move(op));
}

}  // namespace tine
