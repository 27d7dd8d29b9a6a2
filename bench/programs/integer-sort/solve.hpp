// integer-sort is one algorithm.
#pragma once

#include "problem.hpp"

namespace bench::integer_sort {

template <class Algorithms>
void solve(problem& p, const Algorithms& algorithms) {
  const auto sort = [&algorithms](auto& items) {
    algorithms.integer_sort(items.data(), items.data() + items.size(), [](const auto& item) { return key_of(item); });
  };
  p.with_values ? sort(p.pairs) : sort(p.keys);
}

}  // namespace bench::integer_sort
