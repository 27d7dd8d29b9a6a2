// adjacent_difference: the difference of each item and the one before it.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>

#include <algorithm>
#include <functional>
#include <utility>

namespace tine {
namespace detail {

struct adjacent_difference_function {
  template <std::input_iterator It, std::sentinel_for<It> End, std::weakly_incrementable Out,
            std::copy_constructible Op = std::minus<>>
    requires std::indirectly_copyable<It, Out> &&
             std::indirectly_writable<Out,
                                      std::invoke_result_t<Op&, std::iter_reference_t<It>, std::iter_reference_t<It>>>
  TINE_ALWAYS_INLINE std::ranges::in_out_result<It, Out> operator()(It first, End last, Out out, Op op = {}) const {
    static_assert(check_iterators<It, End>() && check_iterators<Out>());
    static_assert(check_callable<Op, std::iter_reference_t<It>, std::iter_reference_t<It>>());
    const std::uint64_t n = items_between(first, last);
    if (n == 0) return {first, out};
    *out = *first;
    for_each_chunk(n - 1, [first, out, op](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
      Out to = nth_item(out, begin);
      for (It i = nth_item(first, begin), stop = nth_item(first, end); i != stop; ++i) {
        ++to;
        *to = std::invoke(op, *(i + 1), *i);
      }
    });
    return {nth_item(first, n), nth_item(out, n)};
  }
  template <std::ranges::input_range R, std::weakly_incrementable Out, std::copy_constructible Op = std::minus<>>
    requires std::indirectly_copyable<std::ranges::iterator_t<R>, Out> &&
             std::indirectly_writable<
                 Out, std::invoke_result_t<Op&, std::ranges::range_reference_t<R>, std::ranges::range_reference_t<R>>>
  TINE_ALWAYS_INLINE std::ranges::in_out_result<std::ranges::borrowed_iterator_t<R>, Out> operator()(R&& r, Out out,
                                                                                                     Op op = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(out), std::move(op));
  }
};

}  // namespace detail

/// Writes the first item to `out[0]`, and `op(first[k], first[k - 1])` to `out[k]` for each k from 1 on, possibly in
/// parallel. Returns both ends. As `std::adjacent_difference`; the ranges must not overlap.
///
///     tine::adjacent_difference(first, last, out, op = {})
///     tine::adjacent_difference(range, out, op = {})
///
/// Work O(n), span O(log n), no memory. `op` is called once for each pair of neighbours, as const, on several workers
/// at once. Exceptions and stop requests are as in `par_for`: the exception of the first pair that throws is rethrown.
///
/// Source: `par_for` over the pairs.
inline constexpr detail::adjacent_difference_function adjacent_difference{};

}  // namespace tine
