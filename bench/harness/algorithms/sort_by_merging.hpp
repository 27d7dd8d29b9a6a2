// Merge sort over any loops that have forks. Sorts halves in parallel, and merges both halves of the output in parallel.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <vector>

namespace bench {
namespace detail {

constexpr std::ptrdiff_t sort_leaf = 2048;   ///< so many items are sorted without forks
constexpr std::ptrdiff_t merge_leaf = 4096;  ///< so many items are merged without forks

/// Merges [a, a_end) and [b, b_end), which may be given in either order.
template <class Loops, class From, class To, class Less>
void merge(const Loops& loops, From a, From a_end, From b, From b_end, To to, const Less& less) {
  if (a_end - a < b_end - b) return merge(loops, b, b_end, a, a_end, to, less);
  if ((a_end - a) + (b_end - b) <= merge_leaf) {
    std::merge(a, a_end, b, b_end, to, less);
    return;
  }
  const From a_middle = a + (a_end - a) / 2;
  const From b_middle = std::lower_bound(b, b_end, *a_middle, less);
  const To to_middle = to + (a_middle - a) + (b_middle - b);
  loops.fork([&] { merge(loops, a, a_middle, b, b_middle, to, less); },
             [&] { merge(loops, a_middle, a_end, b_middle, b_end, to_middle, less); });
}

/// Sorts the items. Leaves them in `buffer` if `to_buffer` is true.
template <class Loops, class It, class Buffer, class Less>
void sort_halves(const Loops& loops, It first, It last, Buffer buffer, bool to_buffer, const Less& less) {
  const std::ptrdiff_t n = last - first;
  if (n <= sort_leaf) {
    std::sort(first, last, less);
    if (to_buffer) std::copy(first, last, buffer);
    return;
  }
  const std::ptrdiff_t half = n / 2;
  loops.fork([&] { sort_halves(loops, first, first + half, buffer, !to_buffer, less); },
             [&] { sort_halves(loops, first + half, last, buffer + half, !to_buffer, less); });
  if (to_buffer) {
    merge(loops, first, first + half, first + half, last, buffer, less);
  } else {
    merge(loops, buffer, buffer + half, buffer + half, buffer + n, first, less);
  }
}

}  // namespace detail

/// Sorts the items; not stable. Copies them to a buffer, so they should be cheap to copy.
template <class Loops, class It, class Less>
void sort_by_merging(const Loops& loops, It first, It last, const Less& less) {
  std::vector<std::iter_value_t<It>> buffer(static_cast<std::size_t>(last - first));
  detail::sort_halves(loops, first, last, buffer.begin(), false, less);
}

}  // namespace bench
