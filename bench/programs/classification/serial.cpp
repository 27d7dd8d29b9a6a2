// classification without forks: every node counts the classes for all values of all features.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

#include "split.hpp"

#include <algorithm>
#include <numeric>

namespace bench::classification {
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
}  // namespace bench::classification

namespace bench {

void serial(problem& p) {
  using namespace classification;
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

}  // namespace bench
