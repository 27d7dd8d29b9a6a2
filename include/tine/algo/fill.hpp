// fill, fill_n: assign one value to each item.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>

#include <concepts>
#include <utility>

namespace tine {
namespace detail {

struct fill_function {
  template <class T, std::output_iterator<const T&> It, std::sentinel_for<It> End>
  TINE_ALWAYS_INLINE It operator()(It first, End last, const T& value) const {
    static_assert(check_iterators<It, End>());
    const std::uint64_t n = items_between(first, last);
    const auto assign = [first](const T& v, std::uint64_t begin, std::uint64_t end)
                            TINE_INLINED { std::ranges::fill(nth_item(first, begin), nth_item(first, end), v); };
    if constexpr (std::copy_constructible<T>) {
      for_each_chunk(
          n, [value, assign](std::uint64_t begin, std::uint64_t end) TINE_INLINED { assign(value, begin, end); });
    } else {
      for_each_chunk(
          n, [&value, assign](std::uint64_t begin, std::uint64_t end) TINE_INLINED { assign(value, begin, end); });
    }
    return nth_item(first, n);
  }
  template <class T, std::ranges::output_range<const T&> R>
  TINE_ALWAYS_INLINE std::ranges::borrowed_iterator_t<R> operator()(R&& r, const T& value) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), value);
  }
};

struct fill_n_function {
  template <class T, std::output_iterator<const T&> It>
  TINE_ALWAYS_INLINE It operator()(It first, std::iter_difference_t<It> n, const T& value) const {
    return fill_function{}(first, nth_item(first, count_of(n)), value);
  }
};

}  // namespace detail

/// Assigns `value` to each item in [first, last), possibly in parallel, and returns the end. As `std::ranges::fill`,
/// but if `value` can be copied, we copy it first, so that it may be one of the items.
///
///     tine::fill(first, last, value)
///     tine::fill(range, value)
///
/// Work O(n), span O(log n), no memory. Exceptions and stop requests are as in `par_for`.
///
/// Source: `par_for` over the items.
inline constexpr detail::fill_function fill{};

/// As `fill`, for the `n` items from `first` on; none if `n` is negative. As `std::ranges::fill_n`.
///
///     tine::fill_n(first, n, value)
inline constexpr detail::fill_n_function fill_n{};

}  // namespace tine
