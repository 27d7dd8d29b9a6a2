// Merge sort of 64-bit keys over any loops: sorts halves in parallel, and merges both halves of the output in parallel.
#pragma once

#include "harness/loops/serial.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace bench::merge_sort {

// Merges two sorted runs of keys without forks, and finds where to cut runs for a fork.

using key = std::uint64_t;

/// Sorted keys.
struct run {
  const key* first;
  const key* last;

  std::ptrdiff_t size() const { return last - first; }
};

/// Merges from both ends at once, because the processor overlaps the two chains of computations, and without branches,
/// because no branch predictor knows random keys. As many keys as the shorter run has can be merged from either end
/// without a check whether a run has ended. Removes the merged keys from the runs.
[[gnu::always_inline]] inline void merge_ends(run& a, run& b, key*& first, key*& last) {
  for (std::ptrdiff_t i = std::min(a.size(), b.size()); i > 0; --i) {
    const key low_a = *a.first, low_b = *b.first;
    const bool b_is_less = low_b < low_a;
    *first++ = b_is_less ? low_b : low_a;
    a.first += !b_is_less;
    b.first += b_is_less;

    const key high_a = a.last[-1], high_b = b.last[-1];
    const bool a_is_greater = high_b < high_a;
    *--last = a_is_greater ? high_a : high_b;
    a.last -= a_is_greater;
    b.last -= !a_is_greater;
  }
}

/// Merges the runs to `out`; equal keys come from `a` first.
inline void merge_runs(run a, run b, key* out) {
  key* end = out + a.size() + b.size();
  while (std::min(a.size(), b.size()) >= 8) merge_ends(a, b, out, end);
  while (a.size() > 0 && b.size() > 0) *out++ = *b.first < *a.first ? *b.first++ : *a.first++;
  out = std::copy(a.first, a.last, out);
  std::copy(b.first, b.last, out);
}

/// Returns how many of the least `count` keys of both runs are in `a`.
inline std::ptrdiff_t share_of(run a, run b, std::ptrdiff_t count) {
  std::ptrdiff_t least = std::max(std::ptrdiff_t{0}, count - b.size());
  std::ptrdiff_t most = std::min(count, a.size());
  while (least < most) {
    const std::ptrdiff_t share = (least + most) / 2;
    if (b.first[count - share - 1] < a.first[share]) {
      most = share;
    } else {
      least = share + 1;
    }
  }
  return least;
}

/// Up to `sort_leaf` keys are sorted by counting. Up to `merge_leaf` keys are merged without a cut, because the cut
/// would take longer than the fork.
constexpr std::ptrdiff_t sort_leaf = 16;
constexpr std::ptrdiff_t merge_leaf = 2048;

/// Sorts by counting for each key how many come before it: n² comparisons, but no branch that depends on a key.
inline void sort_few(key* keys, std::ptrdiff_t n, key* to) {
  key sorted[sort_leaf];
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    std::ptrdiff_t before = 0;
    for (std::ptrdiff_t j = 0; j < i; ++j) before += keys[j] <= keys[i];
    for (std::ptrdiff_t j = i + 1; j < n; ++j) before += keys[j] < keys[i];
    sorted[before] = keys[i];
  }
  std::copy(sorted, sorted + n, to);
}

/// Merges the runs to `out`. Forks for more than `grain` keys.
template <class Loops>
void merge(const Loops& loops, run a, run b, key* out, std::ptrdiff_t grain) {
  const std::ptrdiff_t size = a.size() + b.size();
  if (std::is_same_v<Loops, serial_loops> || size <= std::max(merge_leaf, grain)) return merge_runs(a, b, out);
  const std::ptrdiff_t half = size / 2;
  const std::ptrdiff_t of_a = share_of(a, b, half);
  const std::ptrdiff_t of_b = half - of_a;
  loops.fork([=, &loops] { merge(loops, {a.first, a.first + of_a}, {b.first, b.first + of_b}, out, grain); },
             [=, &loops] { merge(loops, {a.first + of_a, a.last}, {b.first + of_b, b.last}, out + half, grain); });
}

/// Sorts n keys. Writes the sorted keys to `buffer` if `to_buffer` is true, otherwise to `keys`, and overwrites the
/// other array. Forks for more than `grain` keys.
template <class Loops>
void sort(const Loops& loops, key* keys, std::ptrdiff_t n, key* buffer, std::ptrdiff_t grain = 0,
          bool to_buffer = false) {
  if (n <= sort_leaf) return sort_few(keys, n, to_buffer ? buffer : keys);
  if constexpr (!std::is_same_v<Loops, serial_loops>)
    if (n <= grain) return sort(serial_loops{}, keys, n, buffer, 0, to_buffer);
  const std::ptrdiff_t half = n / 2;
  loops.fork([=, &loops] { sort(loops, keys, half, buffer, grain, !to_buffer); },
             [=, &loops] { sort(loops, keys + half, n - half, buffer + half, grain, !to_buffer); });
  const key* from = to_buffer ? keys : buffer;
  merge(loops, {from, from + half}, {from + half, from + n}, to_buffer ? buffer : keys, grain);
}

}  // namespace bench::merge_sort
