// classification: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/algorithms/managed.hpp"
#include "harness/algorithms/program_of_algorithms.hpp"
#include "harness/splitmix.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bench {
namespace {

/// Returns the tree of `size` rows with the classes `all`. Overwrites the rows, and as many in `buffer`.
std::unique_ptr<node> grow(const problem& p, row* rows, row* buffer, std::size_t size, const class_counts& all) {
  auto here = std::make_unique<node>();
  here->predicted = majority(all);
  split best;
  if (bits(p, all) > least_gain)
    for (std::uint32_t f = 0; f < features; ++f) best = better{}(best, best_split(p, rows, size, all, f));
  if (best.gain <= least_gain) return here;
  here->feature = best.feature;
  here->cut = best.cut;
  const auto is_less = [&p, &best](row r) { return p.value_of(r, best.feature) < best.cut; };
  const std::size_t less = std::accumulate(best.less.begin(), best.less.end(), std::size_t{0});
  std::partition_copy(rows, rows + size, buffer, buffer + less, is_less);
  here->less = grow(p, buffer, rows, less, best.less);
  here->rest = grow(p, buffer + less, rows + less, size - less, all - best.less);
  return here;
}

}  // namespace
}  // namespace bench

namespace bench {

/// Without forks: every node counts the classes for all values of all features.
void serial(problem& p) {
  std::vector<row> rows(p.trained()), buffer(p.trained());
  class_counts all{};
  for (row r = 0; r < rows.size(); ++r) {
    rows[r] = r;
    ++all[p.labels[r]];
  }
  p.tree = grow(p, rows.data(), buffer.data(), rows.size(), all);
  for (std::size_t k = 0; k < p.predictions.size(); ++k)
    p.predictions[k] = leaf_of(p, static_cast<row>(p.trained() + k)).predicted;
}

void managed(problem& p) { solve(p, managed_algorithms{}); }

namespace {

/// The concept that the generator plants: a complete binary tree, as a heap.
struct planted_tree {
  static constexpr std::size_t inner = 127;

  explicit planted_tree(splitmix& random) {
    for (std::size_t i = 0; i < inner; ++i) {
      const bool is_continuous = random.below(4) != 0;
      feature[i] = static_cast<std::uint32_t>(is_continuous ? random.below(continuous) : continuous + random.below(4));
      cut[i] = is_continuous ? static_cast<std::uint32_t>(64 + random.below(128)) : 1;
    }
    for (label& each : of_leaf) each = static_cast<label>(random.below(classes));
  }

  label label_of(const problem& p, row r) const {
    std::size_t at = 0;
    while (at < inner) at = 2 * at + 1 + (p.value_of(r, feature[at]) >= cut[at]);
    return of_leaf[at - inner];
  }

  std::array<std::uint32_t, inner> feature{}, cut{};
  std::array<label, inner + 1> of_leaf{};
};

/// Sets the values of a row. One of the first 4 binary features is 1, and one of the other 40, the first more often
/// than the last.
void make_row(problem& p, row r, splitmix& random) {
  for (std::uint32_t f = 0; f < continuous; ++f) p.columns[f][r] = static_cast<std::uint8_t>(random.below(256));
  for (std::uint32_t f = continuous; f < features; ++f) p.columns[f][r] = 0;
  p.columns[continuous + random.below(4)][r] = 1;
  p.columns[continuous + 4 + random.below(1 + random.below(40))][r] = 1;
}

/// For each value of a feature the classes of the rows that have it.
using table = std::array<std::array<double, classes>, 256>;

/// Returns the bits of the best description of the rows' classes that knows only how many rows have each class.
double bits(const std::array<double, classes>& counts) {
  double all = 0, sum = 0;
  for (const double count : counts) all += count;
  for (const double count : counts)
    if (count > 0) sum -= count * std::log2(count / all);
  return sum;
}

/// Returns what a split by each cut saves.
std::array<double, 256> gains_of(const table& counts) {
  std::array<double, classes> less{}, rest{};
  for (const auto& of_value : counts)
    for (std::size_t c = 0; c < classes; ++c) rest[c] += of_value[c];
  const double all = bits(rest);
  std::array<double, 256> gains{};
  for (std::size_t cut = 1; cut < 256; ++cut) {
    for (std::size_t c = 0; c < classes; ++c) {
      less[c] += counts[cut - 1][c];
      rest[c] -= counts[cut - 1][c];
    }
    gains[cut] = all - bits(less) - bits(rest);
  }
  return gains;
}

}  // namespace

void problem::reset() {
  if (labels.size() != n) {
    splitmix random{1};
    const planted_tree planted{random};
    for (auto& column : columns) column.resize(n);
    labels.resize(n);
    for (row r = 0; r < n; ++r) {
      make_row(*this, r, random);
      labels[r] = random.below(20) == 0 ? static_cast<label>(random.below(classes)) : planted.label_of(*this, r);
    }
    x_log_x.resize(n + 1);
    for (std::size_t x = 1; x <= n; ++x) x_log_x[x] = static_cast<double>(x) * std::log2(static_cast<double>(x));
  }
  tree = nullptr;
  predictions.assign(n - trained(), 0);
}

std::size_t problem::answer() const {
  std::size_t right = 0;
  for (std::size_t k = 0; k < predictions.size(); ++k) right += predictions[k] == labels[trained() + k];
  return right;
}

/// Checks a node that these rows reach, and the nodes below it.
std::string problem::mistake_at(const node& at, const std::vector<row>& rows) const {
  const double rounding = 1e-9 * static_cast<double>(n);
  double best = 0, chosen = 0;
  std::array<std::size_t, classes> counts{};
  for (const row r : rows) ++counts[labels[r]];
  for (std::uint32_t f = 0; f < features; ++f) {
    table of_values{};
    for (const row r : rows) ++of_values[columns[f][r]][labels[r]];
    const auto gains = gains_of(of_values);
    best = std::max(best, std::ranges::max(gains));
    if (at.less && f == at.feature) chosen = gains.at(at.cut);
  }
  if (!at.less) {
    if (best > least_gain + rounding) return format("a leaf could be split, to save {} bits", best);
    if (at.predicted != std::ranges::max_element(counts) - counts.begin()) return "a leaf predicts a rare class";
    return "";
  }
  if (chosen < best - rounding) return format("a split saves {} bits, but another {}", chosen, best);
  if (chosen < least_gain - rounding) return format("a split saves only {} bits", chosen);
  std::vector<row> less, rest;
  for (const row r : rows) (columns[at.feature][r] < at.cut ? less : rest).push_back(r);
  const std::string mistake = mistake_at(*at.less, less);
  return mistake.empty() ? mistake_at(*at.rest, rest) : mistake;
}

/// Computes the gain of every split of every node again, and follows the tree for every prediction.
std::string problem::mistake() const {
  if (tree == nullptr) return "there is no tree";
  std::vector<row> rows(trained());
  for (row r = 0; r < rows.size(); ++r) rows[r] = r;
  if (std::string mistake = mistake_at(*tree, rows); !mistake.empty()) return mistake;
  for (row r = static_cast<row>(trained()); r < n; ++r) {
    const node* at = tree.get();
    while (at->less) at = columns[at->feature][r] >= at->cut ? at->rest.get() : at->less.get();
    if (predictions[r - trained()] != at->predicted) return format("the prediction for row {} is not the tree's", r);
  }
  const double share = static_cast<double>(answer()) / static_cast<double>(predictions.size());
  if (n >= 10'000 && share < 0.8) return format("only {} of the predictions are right", share);
  return "";
}

program describe_program() {
  static problem p;
  const auto add_options = [](options& o) { o.size("--n", p.n, {5, largest_n}, large_n, "Rows"); };
  program it{
      .name = "classification",
      .description = "Learns a decision tree, and predicts classes by it.",
      .add_options = add_options,
      .params = [] { return parameters{{"n", p.n}}; },
  };
  return program_of_algorithms(p, std::move(it));
}

}  // namespace bench
