// The best split of rows by one feature: what all variants have in common.
#pragma once

#include "problem.hpp"

#include <algorithm>

namespace bench::classification {

/// A split, and the bits that it saves in the description of the rows' classes.
struct split {
  double gain = 0;
  std::uint32_t feature = features;
  std::uint32_t cut = 0;
  class_counts less{};  ///< the classes of the rows whose value is less than `cut`
};

/// Returns the split with the greater gain; of equal ones, that by the first feature. So the order of reductions has no effect.
struct better {
  split operator()(const split& a, const split& b) const {
    if (a.gain != b.gain) return a.gain > b.gain ? a : b;
    return a.feature < b.feature ? a : b;
  }
};

struct add_counts {
  class_counts operator()(class_counts a, const class_counts& b) const {
    for (std::size_t c = 0; c < classes; ++c) a[c] += b[c];
    return a;
  }
};

inline class_counts operator-(class_counts a, const class_counts& b) {
  for (std::size_t c = 0; c < classes; ++c) a[c] -= b[c];
  return a;
}

/// Returns the bits of the best description of classes that knows only how many rows have each: their number times their entropy.
inline double bits(const problem& p, const class_counts& counts) {
  std::uint32_t all = 0;
  double sum = 0;
  for (const std::uint32_t count : counts) {
    all += count;
    sum += p.x_log_x[count];
  }
  return p.x_log_x[all] - sum;
}

/// Returns the most frequent class; of several, the first.
inline label majority(const class_counts& counts) {
  return static_cast<label>(std::ranges::max_element(counts) - counts.begin());
}

/// Returns the best split of `size` rows by a feature; of equal ones, that by the least cut. `all` are the classes of these rows, of which each value
/// of the feature has a table.
inline split best_split(const problem& p, const row* rows, std::size_t size, const class_counts& all,
                        std::uint32_t feature) {
  constexpr std::size_t stride = 8;
  static_assert(stride >= classes);
  std::uint32_t counts[256 * stride];
  const std::uint32_t values = feature < continuous ? 256 : 2;
  std::fill_n(counts, values * stride, 0u);
  const std::uint8_t* const column = p.columns[feature].data();
  const label* const labels = p.labels.data();
  for (const row *r = rows, *end = rows + size; r != end; ++r) ++counts[column[*r] * stride + labels[*r]];

  const double before = bits(p, all);
  split best;
  class_counts less{};
  for (std::uint32_t cut = 1; cut < values; ++cut) {
    for (std::size_t c = 0; c < classes; ++c) less[c] += counts[(cut - 1) * stride + c];
    const double gain = before - bits(p, less) - bits(p, all - less);
    if (gain > best.gain) best = {gain, feature, cut, less};
  }
  return best;
}

}  // namespace bench::classification
