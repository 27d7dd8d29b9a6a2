// fill: assigns one value to each item.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>

#include <concepts>
#include <utility>

namespace tine {

/// Assigns `value` to each item in [first, last), possibly in parallel, and returns the end. As `std::ranges::fill`,
/// but a value that can be copied is copied once at the begin, so that it may be one of the items.
///
/// Work O(n), span O(log n), no memory. Exceptions and stop requests are as in `par_for`.
///
/// Source: `par_for` over the items.
template <class T, std::output_iterator<const T&> It, std::sentinel_for<It> End>
TINE_ALWAYS_INLINE It fill(It first, End last, const T& value) {
  static_assert(detail::check_iterators<It, End>());
  const std::uint64_t n = detail::items_between(first, last);
  const auto assign = [first](const T& v, std::uint64_t begin, std::uint64_t end) TINE_INLINED {
    std::ranges::fill(detail::nth_item(first, begin), detail::nth_item(first, end), v);
  };
  if constexpr (std::copy_constructible<T>) {
    detail::for_each_chunk(
        n, [value, assign](std::uint64_t begin, std::uint64_t end) TINE_INLINED { assign(value, begin, end); });
  } else {
    detail::for_each_chunk(
        n, [&value, assign](std::uint64_t begin, std::uint64_t end) TINE_INLINED { assign(value, begin, end); });
  }
  return detail::nth_item(first, n);
}

/// As `fill(first, last, value)`, for a range.
template <class T, std::ranges::output_range<const T&> R>
TINE_ALWAYS_INLINE std::ranges::borrowed_iterator_t<R> fill(R&& r, const T& value) {
  static_assert(detail::check_range<R>());
  return tine::fill(std::ranges::begin(r), std::ranges::end(r), value);
}

}  // namespace tine
