// generate, generate_n: assign what a function returns to each item.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>

#include <utility>

namespace tine {
namespace detail {

struct generate_function {
  template <std::input_or_output_iterator It, std::sentinel_for<It> End, std::copy_constructible F>
    requires std::invocable<F&> && std::indirectly_writable<It, std::invoke_result_t<F&>>
  TINE_ALWAYS_INLINE It operator()(It first, End last, F f) const {
    static_assert(check_iterators<It, End>());
    static_assert(check_callable<F>());
    const std::uint64_t n = items_between(first, last);
    for_each_chunk(n, [first, f = std::move(f)](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
      for (It i = nth_item(first, begin), stop = nth_item(first, end); i != stop; ++i) {
        *i = std::invoke(f);
      }
    });
    return nth_item(first, n);
  }
  template <class R, std::copy_constructible F>
    requires std::invocable<F&> && std::ranges::output_range<R, std::invoke_result_t<F&>>
  TINE_ALWAYS_INLINE std::ranges::borrowed_iterator_t<R> operator()(R&& r, F f) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(f));
  }
};

struct generate_n_function {
  template <std::input_or_output_iterator It, std::copy_constructible F>
    requires std::invocable<F&> && std::indirectly_writable<It, std::invoke_result_t<F&>>
  TINE_ALWAYS_INLINE It operator()(It first, std::iter_difference_t<It> n, F f) const {
    return generate_function{}(first, nth_item(first, count_of(n)), std::move(f));
  }
};

}  // namespace detail

/// Assigns a result of `f()` to each item in [first, last), possibly in parallel, and returns the end. As
/// `std::ranges::generate`, but several workers call `f` at once, as const, in any order. A generator that counts or
/// draws random numbers must therefore synchronise its state. `tabulate` passes the position of the item to the
/// function, which then does not need a state.
///
///     tine::generate(first, last, f)
///     tine::generate(range, f)
///
/// Work O(n), span O(log n), no memory. `f` is called once for each item. Exceptions and stop requests are as in
/// `par_for`.
///
/// Source: `par_for` over the items.
inline constexpr detail::generate_function generate{};

/// As `generate`, for the `n` items from `first` on; none if `n` is negative. As `std::ranges::generate_n`.
///
///     tine::generate_n(first, n, f)
inline constexpr detail::generate_n_function generate_n{};

}  // namespace tine
