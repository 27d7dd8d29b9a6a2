// A decision tree by the greatest gain of information (Quinlan 1986), in parallel over the features and over the subtrees.
#pragma once

#include "split.hpp"

#include <cstddef>
#include <utility>

namespace bench::classification {

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

}  // namespace bench::classification
