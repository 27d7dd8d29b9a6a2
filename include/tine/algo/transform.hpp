// transform: writes a function of each item, or of each pair of items, to another range.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>

#include <utility>

namespace tine {

/// Writes `op` of the projection of each item in [first, last) to the range that begins at `out`, possibly in parallel.
/// Returns the ends of both ranges. As `std::ranges::transform`; `out` may be equal to `first`, but otherwise the
/// ranges must not overlap.
///
/// Work O(n), span O(log n), no memory. `op` and `proj` are called once for each item, as const, on several workers at
/// once; on one worker in the order of the items. Exceptions and stop requests are as in `par_for`: the exception of
/// the first item that throws is rethrown.
///
/// Source: `par_for` over the items.
template <std::input_iterator It, std::sentinel_for<It> End, std::weakly_incrementable Out, std::copy_constructible F,
          class Proj = std::identity>
  requires std::indirectly_writable<Out, std::indirect_result_t<F&, std::projected<It, Proj>>>
TINE_ALWAYS_INLINE std::ranges::unary_transform_result<It, Out> transform(It first, End last, Out out, F op,
                                                                          Proj proj = {}) {
  static_assert(detail::check_iterators<It, End>() && detail::check_iterators<Out>());
  static_assert(detail::check_callable<F, std::indirect_result_t<Proj&, It>>());
  const std::uint64_t n = detail::items_between(first, last);
  detail::for_each_chunk(n, [first, out, op, proj](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
    Out to = detail::nth_item(out, begin);
    for (It i = detail::nth_item(first, begin), stop = detail::nth_item(first, end); i != stop; ++i, ++to) {
      *to = std::invoke(op, std::invoke(proj, *i));
    }
  });
  return {detail::nth_item(first, n), detail::nth_item(out, n)};
}

/// As `transform(first, last, out, op, proj)`, for a range.
template <std::ranges::input_range R, std::weakly_incrementable Out, std::copy_constructible F,
          class Proj = std::identity>
  requires std::indirectly_writable<Out, std::indirect_result_t<F&, std::projected<std::ranges::iterator_t<R>, Proj>>>
TINE_ALWAYS_INLINE std::ranges::unary_transform_result<std::ranges::borrowed_iterator_t<R>, Out> transform(
    R&& r, Out out, F op, Proj proj = {}) {
  static_assert(detail::check_range<R>());
  auto ends =
      tine::transform(std::ranges::begin(r), std::ranges::end(r), std::move(out), std::move(op), std::move(proj));
  return {std::move(ends.in), std::move(ends.out)};
}

/// Writes `op` of the projections of each pair of items at the same position to the range that begins at `out`. The
/// shorter range decides the number of pairs. Everything else is as in `transform(first, last, out, op, proj)`.
template <std::input_iterator It1, std::sentinel_for<It1> End1, std::input_iterator It2, std::sentinel_for<It2> End2,
          std::weakly_incrementable Out, std::copy_constructible F, class Proj1 = std::identity,
          class Proj2 = std::identity>
  requires std::indirectly_writable<Out,
                                    std::indirect_result_t<F&, std::projected<It1, Proj1>, std::projected<It2, Proj2>>>
TINE_ALWAYS_INLINE std::ranges::binary_transform_result<It1, It2, Out> transform(It1 first1, End1 last1, It2 first2,
                                                                                 End2 last2, Out out, F op,
                                                                                 Proj1 proj1 = {}, Proj2 proj2 = {}) {
  static_assert(detail::check_iterators<It1, End1>() && detail::check_iterators<It2, End2>());
  static_assert(detail::check_iterators<Out>());
  static_assert(detail::check_callable<F, std::indirect_result_t<Proj1&, It1>, std::indirect_result_t<Proj2&, It2>>());
  const std::uint64_t n = std::min(detail::items_between(first1, last1), detail::items_between(first2, last2));
  detail::for_each_chunk(
      n, [first1, first2, out, op, proj1, proj2](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
        It2 j = detail::nth_item(first2, begin);
        Out to = detail::nth_item(out, begin);
        for (It1 i = detail::nth_item(first1, begin), stop = detail::nth_item(first1, end); i != stop; ++i, ++j, ++to) {
          *to = std::invoke(op, std::invoke(proj1, *i), std::invoke(proj2, *j));
        }
      });
  return {detail::nth_item(first1, n), detail::nth_item(first2, n), detail::nth_item(out, n)};
}

/// As `transform(first1, last1, first2, last2, out, op, proj1, proj2)`, for two ranges.
template <std::ranges::input_range R1, std::ranges::input_range R2, std::weakly_incrementable Out,
          std::copy_constructible F, class Proj1 = std::identity, class Proj2 = std::identity>
  requires std::indirectly_writable<Out, std::indirect_result_t<F&, std::projected<std::ranges::iterator_t<R1>, Proj1>,
                                                                std::projected<std::ranges::iterator_t<R2>, Proj2>>>
TINE_ALWAYS_INLINE std::ranges::binary_transform_result<std::ranges::borrowed_iterator_t<R1>,
                                                        std::ranges::borrowed_iterator_t<R2>, Out>
transform(R1&& r1, R2&& r2, Out out, F op, Proj1 proj1 = {}, Proj2 proj2 = {}) {
  static_assert(detail::check_range<R1>() && detail::check_range<R2>());
  auto ends = tine::transform(std::ranges::begin(r1), std::ranges::end(r1), std::ranges::begin(r2),
                              std::ranges::end(r2), std::move(out), std::move(op), std::move(proj1), std::move(proj2));
  return {std::move(ends.in1), std::move(ends.in2), std::move(ends.out)};
}

}  // namespace tine
