// tabulate: assigns a function of its position to each item.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>

#include <cstddef>
#include <utility>

namespace tine {
namespace detail {

struct tabulate_function {
  template <std::input_or_output_iterator It, std::sentinel_for<It> End, std::copy_constructible F>
    requires std::invocable<F&, std::size_t> && std::indirectly_writable<It, std::invoke_result_t<F&, std::size_t>>
  TINE_ALWAYS_INLINE It operator()(It first, End last, F f) const {
    static_assert(check_iterators<It, End>());
    static_assert(check_callable<F, std::size_t>());
    const std::uint64_t n = items_between(first, last);
    for_each_chunk(n, [first, f = std::move(f)](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
      It i = nth_item(first, begin);
      for (std::size_t k = begin; k != end; ++k, ++i) *i = std::invoke(f, k);
    });
    return nth_item(first, n);
  }
  template <class R, std::copy_constructible F>
    requires std::invocable<F&, std::size_t> && std::ranges::output_range<R, std::invoke_result_t<F&, std::size_t>>
  TINE_ALWAYS_INLINE std::ranges::borrowed_iterator_t<R> operator()(R&& r, F f) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(f));
  }
};

}  // namespace detail

/// Assigns `f(i)` to the item at each position i of [first, last), possibly in parallel, and returns the end. Positions
/// have the type `std::size_t` and start at 0. The standard library has no such algorithm.
///
///     tine::tabulate(first, last, f)
///     tine::tabulate(range, f)
///
///     std::vector<double> squares(n);
///     tine::tabulate(squares, [](std::size_t i) { return double(i) * double(i); });
///
/// Work O(n), span O(log n), no memory. `f` is called once for each position, as const, on several workers at once; on
/// one worker in order. Exceptions and stop requests are as in `par_for`: the exception of the first position that
/// throws is rethrown.
///
/// Source: ParlayLib (Blelloch–Anderson–Dhulipala 2020).
inline constexpr detail::tabulate_function tabulate{};

}  // namespace tine
