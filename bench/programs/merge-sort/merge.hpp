// Merges two sorted runs of keys without forks, and finds where to cut runs for a fork.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace bench::merge_sort {

using key = std::uint64_t;

/// Sorted keys.
struct run {
  const key* first;
  const key* last;

  std::ptrdiff_t size() const { return last - first; }
};

/// Merges from both ends at once, because the processor overlaps the two chains of computations, and without branches, because
/// no branch predictor knows random keys. As many keys as the shorter run has can be merged from either end without a check
/// whether a run has ended. Removes the merged keys from the runs.
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

}  // namespace bench::merge_sort
