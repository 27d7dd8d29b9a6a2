// The problem classification: learn a decision tree from rows of known classes, and predict the classes of other rows
// by it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace bench {

constexpr std::size_t usual_n = 500'000;
constexpr std::size_t large_n = 5'000'000;
constexpr std::size_t largest_n = 20'000'000;

// The shape of the data set covtype (Blackard and Dean 1999).
constexpr std::uint32_t features = 54;
constexpr std::uint32_t continuous =
    10;  ///< the first features; their values are from 0 to 255. The values of the others are 0 and 1.
constexpr std::size_t classes = 7;

using label = std::uint8_t;
using row = std::uint32_t;

/// For each class a number of rows.
using class_counts = std::array<std::uint32_t, classes>;

/// A decision tree. A leaf has no subtrees.
struct node {
  label predicted = 0;        ///< by a leaf
  std::uint32_t feature = 0;  ///< by which other nodes choose a subtree
  std::uint32_t cut = 0;      ///< rows whose value is less go to `less`, others to `rest`
  std::unique_ptr<node> less, rest;
};

/// A split must save more than this number of bits in the description of the node's classes: about what its own
/// description takes.
constexpr double least_gain = 16;

/// Rows of known classes, the tree that is learned from the first four fifths of them, and its predictions for the
/// others.
class problem {
 public:
  /// Makes the rows if `n` has changed since the last call, and forgets the tree and the predictions.
  void reset();
  /// Returns the number of right predictions: the answer that is reported.
  std::size_t answer() const;
  /// Returns a description of the mistake in the tree or in the predictions; empty if they are right.
  std::string mistake() const;

  std::size_t trained() const { return n - n / 5; }
  std::uint8_t value_of(row r, std::uint32_t feature) const { return columns[feature][r]; }

  std::size_t n = usual_n;
  std::array<std::vector<std::uint8_t>, features> columns;
  std::vector<label> labels;
  std::vector<double> x_log_x;  ///< x · log₂ x, for all x up to n

  std::unique_ptr<node> tree;
  std::vector<label> predictions;  ///< for the rows from `trained()` on

 private:
  std::string mistake_at(const node& at, const std::vector<row>& rows) const;
};

/// Returns the leaf of the row.
inline const node& leaf_of(const problem& p, row r) {
  const node* at = p.tree.get();
  while (at->less) at = (p.value_of(r, at->feature) < at->cut ? at->less : at->rest).get();
  return *at;
}

// The best split of rows by one feature: what all variants have in common.

/// A split, and the bits that it saves in the description of the rows' classes.
struct split {
  double gain = 0;
  std::uint32_t feature = features;
  std::uint32_t cut = 0;
  class_counts less{};  ///< the classes of the rows whose value is less than `cut`
};

/// Returns the split with the greater gain; of equal ones, that by the first feature. So the order of reductions has no
/// effect.
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

/// Returns the bits of the best description of classes that knows only how many rows have each: their number times
/// their entropy.
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

/// Returns the best split of `size` rows by a feature; of equal ones, that by the least cut. `all` are the classes of
/// these rows, of which each value of the feature has a table.
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

// A decision tree by the greatest gain of information (Quinlan 1986), in parallel over the features and over the
// subtrees.

template <class Algorithms>
class learner {
 public:
  learner(const problem& p, const Algorithms& algorithms) : p_{p}, algorithms_{algorithms} {}

  /// Returns the tree of `size` rows with the classes `all`. Overwrites the rows, and as many in `buffer`.
  std::unique_ptr<node> grow(row* rows, row* buffer, std::size_t size, const class_counts& all) const {
    auto here = std::make_unique<node>();
    here->predicted = majority(all);
    if (bits(p_, all) <= least_gain) return here;
    const auto by_feature = [this, rows, size, &all](std::size_t f) {
      return best_split(p_, rows, size, all, static_cast<std::uint32_t>(f));
    };
    const split best = algorithms_.reduce(std::size_t{0}, std::size_t{features}, split{}, by_feature, better{});
    if (best.gain <= least_gain) return here;
    here->feature = best.feature;
    here->cut = best.cut;

    const auto is_less = [column = p_.columns[best.feature].data(), cut = best.cut](row r) { return column[r] < cut; };
    row* const middle = algorithms_.copy_if(rows, rows + size, buffer, is_less);
    algorithms_.copy_if(rows, rows + size, middle, [is_less](row r) { return !is_less(r); });
    const auto less = static_cast<std::size_t>(middle - buffer);
    const auto grow_less = [&, this] { here->less = grow(buffer, rows, less, best.less); };
    const auto grow_rest = [&, this] { here->rest = grow(middle, rows + less, size - less, all - best.less); };
    algorithms_.fork(grow_less, grow_rest);
    return here;
  }

 private:
  const problem& p_;
  const Algorithms& algorithms_;
};

template <class Algorithms>
void solve(problem& p, const Algorithms& algorithms) {
  std::vector<row> rows(p.trained()), buffer(p.trained());
  algorithms.for_each(std::size_t{0}, rows.size(), [to = rows.data()](std::size_t r) { to[r] = static_cast<row>(r); });
  const auto count = [labels = p.labels.data()](std::size_t r) {
    class_counts one{};
    one[labels[r]] = 1;
    return one;
  };
  const class_counts all = algorithms.reduce(std::size_t{0}, rows.size(), class_counts{}, count, add_counts{});
  p.tree = learner{p, algorithms}.grow(rows.data(), buffer.data(), rows.size(), all);
  algorithms.for_each(std::size_t{0}, p.predictions.size(), [&p, to = p.predictions.data()](std::size_t k) {
    to[k] = leaf_of(p, static_cast<row>(p.trained() + k)).predicted;
  });
}

}  // namespace bench
