// random_shuffle: permutes items at random, as a seed determines.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/projected_less.hpp>
#include <tine/detail/algo/shuffle_range.hpp>

#include <cstdint>
#include <iterator>

namespace tine {
namespace detail {

struct random_shuffle_function {
  template <std::permutable It, std::sentinel_for<It> End>
  It operator()(It first, End last, std::uint64_t seed) const {
    static_assert(check_iterators<It, End>());
    const std::uint64_t n = items_between(first, last);
    shuffle_range(plain_iterator(first), n, seed);
    return nth_item(first, n);
  }
  template <std::ranges::forward_range R>
    requires std::permutable<std::ranges::iterator_t<R>>
  std::ranges::borrowed_iterator_t<R> operator()(R&& r, std::uint64_t seed) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), seed);
  }
};

}  // namespace detail

/// Permutes the items in [first, last) at random, possibly in parallel, and returns the end. As `std::ranges::shuffle`,
/// but takes a seed instead of a generator. The permutation depends only on the seed and the number of items, not on
/// the workers, the schedule or the items. Every permutation is equally probable, as far as 64 bits of seed allow.
/// Don't use it for cryptography. Another version of tine may give another permutation.
///
///     tine::random_shuffle(first, last, seed)
///     tine::random_shuffle(range, seed)
///
/// Work O(n), span O(log^2 n) for each of log n / 8 levels; memory for the items, if they are more than 2^18. Throws
/// std::bad_alloc. If a move throws, items may be lost, but none leaks. If the strand is stopped, all items are in the
/// range, in some order.
///
/// Source: scatter to random buckets (Rao 1961, Sandelius 1962), Fisher–Yates in each, and numbers by position
/// (splitmix64, Steele–Lea–Flood 2014).
inline constexpr detail::random_shuffle_function random_shuffle{};

}  // namespace tine
