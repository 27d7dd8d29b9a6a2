// The choice of the item by which quicksort partitions a range.
#pragma once

#include <cstdint>
#include <iterator>

namespace tine::detail {

/// Returns the iterator to the median of three items.
template <class It, class Less>
It median_of_three(It a, It b, It c, const Less& less) {
  const bool b_first = less(*b, *a), c_first = less(*c, *a);
  if (b_first != c_first) return a;
  // `a` is the least or the greatest one.
  return less(*c, *b) != b_first ? c : b;
}

/// Returns the median of three items, each of which is such a median of the `n` items behind it, if these are enough.
template <class It, class Less>
It recursive_median(It a, It b, It c, std::iter_difference_t<It> n, const Less& less) {
  if (n >= 8) {
    const auto eighth = n / 8;
    const auto inner = [&](const It& at) {
      return recursive_median(at, at + eighth * 4, at + eighth * 7, eighth, less);
    };
    a = inner(a);
    b = inner(b);
    c = inner(c);
  }
  return median_of_three(a, b, c, less);
}

/// Returns an item near the median of at least eight items: the median of three items of a short range, and the
/// recursive median of about sqrt(n) items of a long one.
template <class It, class Less>
It choose_pivot(It first, It last, const Less& less) {
  const auto n = last - first, eighth = n / 8;
  const It b = first + eighth * 4, c = first + eighth * 7;
  return n < 64 ? median_of_three(first, b, c, less) : recursive_median(first, b, c, eighth, less);
}

}  // namespace tine::detail
