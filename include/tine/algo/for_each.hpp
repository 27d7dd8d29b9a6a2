// for_each, for_each_n: call a function for each item.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>

#include <utility>

namespace tine {
namespace detail {

struct for_each_function {
  template <std::input_iterator It, std::sentinel_for<It> End, class Proj = std::identity,
            std::indirectly_unary_invocable<std::projected<It, Proj>> F>
  TINE_ALWAYS_INLINE std::ranges::for_each_result<It, F> operator()(It first, End last, F f, Proj proj = {}) const {
    static_assert(check_iterators<It, End>());
    static_assert(check_callable<F, std::indirect_result_t<Proj&, It>>());
    const std::uint64_t n = items_between(first, last);
    for_each_chunk(n, [first, f, proj](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
      for (It i = nth_item(first, begin), stop = nth_item(first, end); i != stop; ++i) {
        static_cast<void>(std::invoke(f, std::invoke(proj, *i)));
      }
    });
    return {nth_item(first, n), std::move(f)};
  }
  template <std::ranges::input_range R, class Proj = std::identity,
            std::indirectly_unary_invocable<std::projected<std::ranges::iterator_t<R>, Proj>> F>
  TINE_ALWAYS_INLINE std::ranges::for_each_result<std::ranges::borrowed_iterator_t<R>, F> operator()(
      R&& r, F f, Proj proj = {}) const {
    static_assert(check_range<R>());
    auto done = (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(f), std::move(proj));
    return {std::move(done.in), std::move(done.fun)};
  }
};

struct for_each_n_function {
  template <std::input_iterator It, class Proj = std::identity,
            std::indirectly_unary_invocable<std::projected<It, Proj>> F>
  TINE_ALWAYS_INLINE std::ranges::for_each_n_result<It, F> operator()(It first, std::iter_difference_t<It> n, F f,
                                                                      Proj proj = {}) const {
    return for_each_function{}(first, nth_item(first, count_of(n)), std::move(f), std::move(proj));
  }
};

}  // namespace detail

/// Calls `f` with the projection of each item in [first, last), possibly in parallel, and drops the results. Returns
/// the end and `f`. As `std::ranges::for_each`, but several workers call copies of `f`. So `f` must be callable as
/// const, and can't collect a state.
///
///     tine::for_each(first, last, f, proj = {})
///     tine::for_each(range, f, proj = {})
///
/// Work O(n), span O(log n), no memory. `f` and `proj` are called once for each item, as const, on several workers at
/// once; on one worker in the order of the items. Exceptions and stop requests are as in `par_for`: the exception of
/// the first item that throws is rethrown.
///
/// Source: `par_for` over the items.
inline constexpr detail::for_each_function for_each{};

/// As `for_each`, for the `n` items from `first` on; none if `n` is negative. As `std::ranges::for_each_n`.
///
///     tine::for_each_n(first, n, f, proj = {})
inline constexpr detail::for_each_n_function for_each_n{};

}  // namespace tine
