// transform: writes a function of each item, or of each pair of items, to another range.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>

#include <utility>

namespace tine {
namespace detail {

struct transform_function {
  template <std::input_iterator It, std::sentinel_for<It> End, std::weakly_incrementable Out, std::copy_constructible F,
            class Proj = std::identity>
    requires std::indirectly_writable<Out, std::indirect_result_t<F&, std::projected<It, Proj>>>
  TINE_ALWAYS_INLINE std::ranges::unary_transform_result<It, Out> operator()(It first, End last, Out out, F op,
                                                                             Proj proj = {}) const {
    static_assert(check_iterators<It, End>() && check_iterators<Out>());
    static_assert(check_callable<F, std::indirect_result_t<Proj&, It>>());
    const std::uint64_t n = items_between(first, last);
    for_each_chunk(n, [first, out, op, proj](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
      Out to = nth_item(out, begin);
      for (It i = nth_item(first, begin), stop = nth_item(first, end); i != stop; ++i, ++to) {
        *to = std::invoke(op, std::invoke(proj, *i));
      }
    });
    return {nth_item(first, n), nth_item(out, n)};
  }
  template <std::ranges::input_range R, std::weakly_incrementable Out, std::copy_constructible F,
            class Proj = std::identity>
    requires std::indirectly_writable<Out, std::indirect_result_t<F&, std::projected<std::ranges::iterator_t<R>, Proj>>>
  TINE_ALWAYS_INLINE std::ranges::unary_transform_result<std::ranges::borrowed_iterator_t<R>, Out> operator()(
      R&& r, Out out, F op, Proj proj = {}) const {
    static_assert(check_range<R>());
    auto ends = (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(out), std::move(op), std::move(proj));
    return {std::move(ends.in), std::move(ends.out)};
  }
  template <std::input_iterator It1, std::sentinel_for<It1> End1, std::input_iterator It2, std::sentinel_for<It2> End2,
            std::weakly_incrementable Out, std::copy_constructible F, class Proj1 = std::identity,
            class Proj2 = std::identity>
    requires std::indirectly_writable<
        Out, std::indirect_result_t<F&, std::projected<It1, Proj1>, std::projected<It2, Proj2>>>
  TINE_ALWAYS_INLINE std::ranges::binary_transform_result<It1, It2, Out> operator()(It1 first1, End1 last1, It2 first2,
                                                                                    End2 last2, Out out, F op,
                                                                                    Proj1 proj1 = {},
                                                                                    Proj2 proj2 = {}) const {
    static_assert(check_iterators<It1, End1>() && check_iterators<It2, End2>());
    static_assert(check_iterators<Out>());
    static_assert(check_callable<F, std::indirect_result_t<Proj1&, It1>, std::indirect_result_t<Proj2&, It2>>());
    const std::uint64_t n = std::min(items_between(first1, last1), items_between(first2, last2));
    for_each_chunk(n, [first1, first2, out, op, proj1, proj2](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
      It2 j = nth_item(first2, begin);
      Out to = nth_item(out, begin);
      for (It1 i = nth_item(first1, begin), stop = nth_item(first1, end); i != stop; ++i, ++j, ++to) {
        *to = std::invoke(op, std::invoke(proj1, *i), std::invoke(proj2, *j));
      }
    });
    return {nth_item(first1, n), nth_item(first2, n), nth_item(out, n)};
  }
  template <std::ranges::input_range R1, std::ranges::input_range R2, std::weakly_incrementable Out,
            std::copy_constructible F, class Proj1 = std::identity, class Proj2 = std::identity>
    requires std::indirectly_writable<Out,
                                      std::indirect_result_t<F&, std::projected<std::ranges::iterator_t<R1>, Proj1>,
                                                             std::projected<std::ranges::iterator_t<R2>, Proj2>>>
  TINE_ALWAYS_INLINE std::ranges::binary_transform_result<std::ranges::borrowed_iterator_t<R1>,
                                                          std::ranges::borrowed_iterator_t<R2>, Out>
  operator()(R1&& r1, R2&& r2, Out out, F op, Proj1 proj1 = {}, Proj2 proj2 = {}) const {
    static_assert(check_range<R1>() && check_range<R2>());
    auto ends = (*this)(std::ranges::begin(r1), std::ranges::end(r1), std::ranges::begin(r2), std::ranges::end(r2),
                        std::move(out), std::move(op), std::move(proj1), std::move(proj2));
    return {std::move(ends.in1), std::move(ends.in2), std::move(ends.out)};
  }
};

}  // namespace detail

/// Writes `op` of the projection of each item in [first, last) to the range that starts at `out`, possibly in parallel.
/// Returns the ends of both ranges. As `std::ranges::transform`. `out` may be equal to `first`; otherwise the ranges
/// must not overlap.
///
///     tine::transform(first, last, out, op, proj = {})
///     tine::transform(range, out, op, proj = {})
///     tine::transform(first1, last1, first2, last2, out, op, proj1 = {}, proj2 = {})
///     tine::transform(range1, range2, out, op, proj1 = {}, proj2 = {})
///
/// Work O(n), span O(log n), no memory. `op` and `proj` are called once for each item, as const, on several workers at
/// once; on one worker in the order of the items. Exceptions and stop requests are as in `par_for`: the exception of
/// the first item that throws is rethrown.
///
/// Writes `op` of the projections of each pair of items at the same position to the range that starts at `out`. The
/// shorter range decides how many pairs there are. Everything else is as in `transform(first, last, out, op, proj)`.
///
/// Source: `par_for` over the items.
inline constexpr detail::transform_function transform{};

}  // namespace tine
