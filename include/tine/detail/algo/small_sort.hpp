// Sorting a few items on one worker, stably: the leaves of all recursive sorts.
#pragma once

#include <tine/detail/algo/item_hole.hpp>
#include <tine/detail/algo/projected_less.hpp>
#include <tine/detail/algo/raw_buffer.hpp>
#include <tine/detail/base/macros.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

namespace tine::detail {

/// The greatest number of items that `small_sort` takes.
template <class It>
inline constexpr std::ptrdiff_t most_small_items = is_branchless<It> ? 32 : 16;

/// Moves the item at `last` to its place among the sorted items from `first` up to it. Returns the number of items that
/// it passes.
template <class It, class Less>
TINE_ALWAYS_INLINE std::ptrdiff_t insert_last(const It& first, const It& last, const Less& less) {
  It before = last;
  --before;
  if (!less(*last, *before)) return 0;
  item_hole<It> hole{last};
  do {
    hole.move_to(before);
  } while (before != first && less(hole.item(), *--before));
  return last - hole.fill();
}

template <class It, class Less>
TINE_ALWAYS_INLINE void insertion_sort(const It& first, const It& last, const Less& less) {
  if (first == last) return;
  for (It at = first + 1; at != last; ++at) insert_last(first, at, less);
}

/// Sorts items of which most are in order. Gives up after a few moves, and returns false if items are left that are not
/// in order.
template <class It, class Less>
bool insertion_sort_if_nearly_sorted(const It& first, const It& last, const Less& less) {
  if (first == last) return true;
  std::ptrdiff_t moves_left = 8;
  for (It at = first + 1; at != last; ++at) {
    if ((moves_left -= insert_last(first, at, less)) < 0) return ++at == last;
  }
  return true;
}

/// Sorts four items from `from` to `to`, with five comparisons and no branch.
template <class T, class Less>
TINE_ALWAYS_INLINE void sort_four(T* from, T* to, const Less& less) {
  const bool first_pair = less(from[1], from[0]), second_pair = less(from[3], from[2]);
  T* const a = from + first_pair;
  T* const b = from + !first_pair;
  T* const c = from + 2 + second_pair;
  T* const d = from + 2 + !second_pair;
  const bool c_first = less(*c, *a), d_first = less(*d, *b);
  T* const least = c_first ? c : a;
  T* const greatest = d_first ? b : d;
  T* const left = c_first ? a : d_first ? c : b;
  T* const right = d_first ? d : c_first ? b : c;
  const bool swapped = less(*right, *left);
  to[0] = std::move(*least);
  to[1] = std::move(*(swapped ? right : left));
  to[2] = std::move(*(swapped ? left : right));
  to[3] = std::move(*greatest);
}

/// Merges the sorted halves of the `n` items at `from`, of which the first one has n / 2 items. It makes two
/// independent chains of steps, one from each end, which the processor overlaps. Neither chain leaves its half,
/// whatever the comparison returns: each has n / 2 steps.
template <class T, class Less>
TINE_ALWAYS_INLINE void merge_halves(T* from, std::size_t n, T* to, const Less& less) {
  const std::size_t half = n / 2;
  T *left = from, *right = from + half, *out = to;
  T *left_back = right - 1, *right_back = from + n - 1, *out_back = to + n - 1;
  for (std::size_t k = 0; k < half; ++k) {
    const bool takes_right = less(*right, *left);
    *out++ = std::move(*(takes_right ? right : left));
    right += takes_right;
    left += !takes_right;
    const bool takes_left = less(*right_back, *left_back);
    *out_back-- = std::move(*(takes_left ? left_back : right_back));
    left_back -= takes_left;
    right_back -= !takes_left;
  }
  if (n % 2 != 0) *out = std::move(*(left <= left_back ? left : right));
}

/// Copies back the items of a range if a comparison throws while they are being written in their order.
template <class T>
class kept_items {
 public:
  kept_items(T* copy, T* to, std::size_t n) noexcept : copy_{copy}, to_{to}, n_{n} {}
  ~kept_items() {
    if (n_ != 0) restore();
  }
  kept_items(const kept_items&) = delete;
  kept_items& operator=(const kept_items&) = delete;
  void close() noexcept { n_ = 0; }

 private:
  TINE_COLD void restore() noexcept {
    for (std::size_t k = 0; k < n_; ++k) to_[k] = std::move(copy_[k]);
  }

  T *copy_, *to_;
  std::size_t n_;
};

/// Copies the `n` items at `from` to `to` in their order. The first `presorted` ones are there already.
template <class T, class Less>
TINE_ALWAYS_INLINE void insert_all(T* from, T* to, std::size_t presorted, std::size_t n, const Less& less) {
  for (std::size_t k = presorted; k < n; ++k) {
    to[k] = std::move(from[k]);
    insert_last(to, to + k, less);
  }
}

/// Returns true if nearly all neighbours among the `n` items are in order. The sum takes no branch.
template <class T, class Less>
TINE_ALWAYS_INLINE bool is_nearly_sorted(T* from, std::size_t n, const Less& less) {
  unsigned descents = 0;
  for (std::size_t k = 1; k < n; ++k) descents += less(from[k], from[k - 1]);
  return descents <= n / 16;
}

/// Copies `n` items from `from` to `to` in their order, which may be the same place. If a comparison throws, the items
/// are at `from`.
template <class T, class Less>
TINE_NOINLINE void small_sort_cheap(T* from, T* to, std::size_t n, const Less& less) {
  if (n < 2) {
    if (n == 1) *to = std::move(*from);
    return;
  }
  if (is_nearly_sorted(from, n, less)) {
    insertion_sort(from, from + n, less);
    if (from != to) std::copy(std::move_iterator{from}, std::move_iterator{from + n}, to);
    return;
  }
  constexpr std::size_t most = most_small_items<T*>;
  small_buffer<T, most> sorted_halves;
  small_buffer<T, 8> fours;
  T* const halves = sorted_halves.begin();
  const std::size_t half = n / 2;
  std::size_t presorted = 1;
  if (n >= 16) {
    for (const std::size_t begin : {std::size_t{0}, half}) {
      sort_four(from + begin, fours.begin(), less);
      sort_four(from + begin + 4, fours.begin() + 4, less);
      merge_halves(fours.begin(), 8, halves + begin, less);
    }
    presorted = 8;
  } else if (n >= 8) {
    sort_four(from, halves, less);
    sort_four(from + half, halves + half, less);
    presorted = 4;
  } else {
    halves[0] = std::move(from[0]);
    halves[half] = std::move(from[half]);
  }
  insert_all(from, halves, presorted, half, less);
  insert_all(from + half, halves + half, presorted, n - half, less);
  kept_items<T> keep{halves, from, from == to ? n : 0};
  merge_halves(halves, n, to, less);
  keep.close();
}

/// Sorts at most `most_small_items` items.
template <class It, class Less>
void small_sort(const It& first, const It& last, const Less& less) {
  if constexpr (is_branchless<It>) {
    small_sort_cheap(first, first, length_of(first, last), less);
  } else {
    insertion_sort(first, last, less);
  }
}

}  // namespace tine::detail
