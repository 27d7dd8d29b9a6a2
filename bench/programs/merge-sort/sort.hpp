// Merge sort of 64-bit keys over any loops: sorts halves in parallel, and merges both halves of the output in parallel.
#pragma once

#include "harness/loops/serial.hpp"
#include "programs/merge-sort/merge.hpp"

#include <type_traits>

namespace bench::merge_sort {

/// Up to `sort_leaf` keys are sorted by counting. Up to `merge_leaf` keys are merged without a cut, because the cut would take
/// longer than the fork.
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

/// Sorts n keys. Writes the sorted keys to `buffer` if `to_buffer` is true, otherwise to `keys`, and overwrites the other array.
/// Forks for more than `grain` keys.
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
