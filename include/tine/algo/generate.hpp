// generate: assigns to each item what a function without arguments returns.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>

#include <utility>

namespace tine {

/// Assigns a result of `f()` to each item in [first, last), possibly in parallel, and returns the end. As
/// `std::ranges::generate`, but several workers call `f` at once, as const, in no order. A generator that counts or
/// draws random numbers must therefore synchronise its state. `tabulate` gives the function the position of the item,
/// and needs no state.
///
/// Work O(n), span O(log n), no memory. `f` is called once for each item. Exceptions and stop requests are as in
/// `par_for`.
///
/// Source: `par_for` over the items.
template <std::input_or_output_iterator It, std::sentinel_for<It> End, std::copy_constructible F>
  requires std::invocable<F&> && std::indirectly_writable<It, std::invoke_result_t<F&>>
TINE_ALWAYS_INLINE It generate(It first, End last, F f) {
  static_assert(detail::check_iterators<It, End>());
  static_assert(detail::check_callable<F>());
  const std::uint64_t n = detail::items_between(first, last);
  detail::for_each_chunk(n, [first, f = std::move(f)](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
    for (It i = detail::nth_item(first, begin), stop = detail::nth_item(first, end); i != stop; ++i) {
      *i = std::invoke(f);
    }
  });
  return detail::nth_item(first, n);
}

/// As `generate(first, last, f)`, for a range.
template <class R, std::copy_constructible F>
  requires std::invocable<F&> && std::ranges::output_range<R, std::invoke_result_t<F&>>
TINE_ALWAYS_INLINE std::ranges::borrowed_iterator_t<R> generate(R&& r, F f) {
  static_assert(detail::check_range<R>());
  return tine::generate(std::ranges::begin(r), std::ranges::end(r), std::move(f));
}

}  // namespace tine
