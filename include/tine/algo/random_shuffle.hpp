// random_shuffle: a random permutation that a seed determines.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/projected_less.hpp>
#include <tine/detail/algo/shuffle_range.hpp>

#include <cstdint>
#include <iterator>

namespace tine {

/// Permutes the items in [first, last) at random, possibly in parallel, and returns the end. As `std::ranges::shuffle`,
/// but takes a seed in place of a generator: the permutation depends on the seed and on the number of items only, not
/// on the workers, the schedule or the items. Every permutation is equally probable, as far as 64 bits of seed allow.
/// The numbers are no secret: do not use them in cryptography. Another version of tine may give another permutation.
///
/// Work O(n), span O(log^2 n) for each of log n / 8 levels; memory for the items, if they are more than 2^18. Throws
/// std::bad_alloc. If a move throws, items may be lost, but none leaks; if the strand is stopped, all items are in the
/// range, in some order.
///
/// Source: scatter to random buckets (Rao 1961, Sandelius 1962), Fisher–Yates in each, and numbers by position
/// (splitmix64, Steele–Lea–Flood 2014).
template <std::permutable It, std::sentinel_for<It> End>
It random_shuffle(It first, End last, std::uint64_t seed) {
  static_assert(detail::check_iterators<It, End>());
  const std::uint64_t n = detail::items_between(first, last);
  detail::shuffle_range(detail::plain_iterator(first), n, seed);
  return detail::nth_item(first, n);
}

/// As `random_shuffle(first, last, seed)`, for a range.
template <std::ranges::forward_range R>
  requires std::permutable<std::ranges::iterator_t<R>>
std::ranges::borrowed_iterator_t<R> random_shuffle(R&& r, std::uint64_t seed) {
  static_assert(detail::check_range<R>());
  return tine::random_shuffle(std::ranges::begin(r), std::ranges::end(r), seed);
}

}  // namespace tine
