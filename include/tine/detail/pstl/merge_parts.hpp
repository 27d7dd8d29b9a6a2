// A parallel merge of two sorted ranges: both are split at a key, and the two halves are merged as branches of a fork.
#pragma once

#include <tine/detail/pstl/stop_guard.hpp>
#include <tine/managed/par.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace tine::detail::pstl {

/// Up to this number of items a merge is not split. A merge of so many items takes some tens of microseconds; a split takes a microsecond, because
/// its binary search reads items that are not in the cache.
inline constexpr std::ptrdiff_t merge_leaf = 16384;

/// The places that split two sorted ranges: no item before them is greater than an item behind them.
template <class X, class Y>
struct merge_split {
  X x;
  Y y;
};

/// Splits the longer one of two sorted ranges in its middle, and the other one at the same key. Equal items of [x, x_end) stay before those
/// of [y, y_end).
template <class X, class Y, class Compare>
merge_split<X, Y> split_merge(X x, X x_end, Y y, Y y_end, const Compare& compare) {
  if (x_end - x < y_end - y) {
    const Y middle = y + (y_end - y) / 2;
    return {std::upper_bound(x, x_end, *middle, compare), middle};
  }
  const X middle = x + (x_end - x) / 2;
  return {middle, std::lower_bound(y, y_end, *middle, compare)};
}

/// Merges [x, x_end) and [y, y_end) to `out` by calls of `merge(x, x_end, y, y_end, out, compare)` for parts of the ranges. Keeps the order of equal
/// items.
///
/// Source: Cormen et al., chapter on multithreaded algorithms: merging by binary search.
template <class X, class Y, class Out, class Compare, class Merge>
void merge_parts(X x, X x_end, Y y, Y y_end, Out out, const Compare& compare, const Merge& merge) {
  if ((x_end - x) + (y_end - y) <= merge_leaf) {
    const stop_guard part;
    return static_cast<void>(call(merge, x, x_end, y, y_end, out, compare));
  }
  const auto [x_mid, y_mid] = split_merge(x, x_end, y, y_end, compare);
  const Out out_mid = out + (x_mid - x) + (y_mid - y);
  // The compilers of C++20 cannot capture a structured binding by reference.
  par([&, xm = x_mid, ym = y_mid] { merge_parts(x, xm, y, ym, out, compare, merge); },
      [&, xm = x_mid, ym = y_mid] { merge_parts(xm, x_end, ym, y_end, out_mid, compare, merge); });
}

/// True if a merge selects the next item without a branch: an item that is read twice costs less than a branch that is mispredicted in half
/// of the cases.
template <class In, class Out>
inline constexpr bool merges_without_branches =
    std::contiguous_iterator<In> && std::contiguous_iterator<Out> &&
    std::is_trivially_copyable_v<std::iter_value_t<In>> && sizeof(std::iter_value_t<In>) <= 16;

/// Merges [x, x_end) and [y, y_end) by `put(out, item)`, which moves an item to its place and advances `out`. Returns the end of the output.
template <class In, class Out, class Compare, class Put>
TINE_ALWAYS_INLINE Out merge_serially(In x, In x_end, In y, In y_end, Out out, Compare compare, Put put) {
  if (x != x_end && y != y_end && compare(*y, *(x_end - 1))) {
    for (;;) {
      if constexpr (merges_without_branches<In, Out>) {
        const bool second = compare(*y, *x);
        put(out, std::move(*(second ? y : x)));
        y += second;
        x += !second;
        if (x == x_end || y == y_end) break;
      } else if (compare(*y, *x)) {
        put(out, std::move(*y));
        if (++y == y_end) break;
      } else {
        put(out, std::move(*x));
        if (++x == x_end) break;
      }
    }
  }
  for (; x != x_end; ++x) put(out, std::move(*x));
  for (; y != y_end; ++y) put(out, std::move(*y));
  return out;
}

}  // namespace tine::detail::pstl
