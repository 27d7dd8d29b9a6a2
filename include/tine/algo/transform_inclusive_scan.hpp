// transform_inclusive_scan: inclusive_scan of what a function returns for the items.
#pragma once

#include <tine/detail/algo/scan_chunks.hpp>

namespace tine {
namespace detail {

struct transform_inclusive_scan_function {
  template <std::input_iterator It, std::sentinel_for<It> End, std::weakly_incrementable Out, class Op, class F,
            class T>
    requires std::invocable<F&, std::iter_reference_t<It>> &&
             sums<Op, T, std::invoke_result_t<F&, std::iter_reference_t<It>>> && std::indirectly_writable<Out, const T&>
  TINE_ALWAYS_INLINE std::ranges::in_out_result<It, Out> operator()(It first, End last, Out out, Op op, F f,
                                                                    T init) const {
    static_assert(check_iterators<It, End>() && check_iterators<Out>());
    const std::uint64_t n = items_between(first, last);
    scan_chunks<true, T>(n, first, out, std::move(op), std::move(f), std::move(init));
    return {nth_item(first, n), nth_item(out, n)};
  }
  template <std::input_iterator It, std::sentinel_for<It> End, std::weakly_incrementable Out, class Op, class F>
    requires std::invocable<F&, std::iter_reference_t<It>> &&
             sums<Op, std::remove_cvref_t<std::invoke_result_t<F&, std::iter_reference_t<It>>>,
                  std::invoke_result_t<F&, std::iter_reference_t<It>>>
  TINE_ALWAYS_INLINE std::ranges::in_out_result<It, Out> operator()(It first, End last, Out out, Op op, F f) const {
    static_assert(check_iterators<It, End>() && check_iterators<Out>());
    const std::uint64_t n = items_between(first, last);
    using sum = std::remove_cvref_t<std::invoke_result_t<F&, std::iter_reference_t<It>>>;
    scan_chunks<true, sum>(n, first, out, std::move(op), std::move(f), no_init{});
    return {nth_item(first, n), nth_item(out, n)};
  }
  template <std::ranges::input_range R, std::weakly_incrementable Out, class Op, class F, class... Init>
    requires(sizeof...(Init) <= 1) && std::invocable<F&, std::ranges::range_reference_t<R>>
  TINE_ALWAYS_INLINE std::ranges::in_out_result<std::ranges::borrowed_iterator_t<R>, Out> operator()(
      R&& r, Out out, Op op, F f, Init... init) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(out), std::move(op), std::move(f),
                   std::move(init)...);
  }
};

}  // namespace detail

/// Writes to `out[k]`, for each k, the sum `op(... op(op(init, f(first[0])), f(first[1])) ..., f(first[k]))`, computed
/// possibly in parallel. As `std::transform_inclusive_scan`, but returns both ends. The sums have the type of `init`.
/// `out` may be equal to `first`.
///
///     tine::transform_inclusive_scan(first, last, out, op, f, init)
///     tine::transform_inclusive_scan(first, last, out, op, f)
///     tine::transform_inclusive_scan(range, out, op, f, init...)
///
/// `f` is called once for each item, and a second time for items that another worker takes, as const, on several
/// workers at once. Everything else is as in `inclusive_scan`.
///
/// As `transform_inclusive_scan(first, last, out, op, f, init)`, but starts with `f(first[0])`. The sums have the type
/// that `f` returns.
///
/// Source: as `inclusive_scan`.
inline constexpr detail::transform_inclusive_scan_function transform_inclusive_scan{};

}  // namespace tine
