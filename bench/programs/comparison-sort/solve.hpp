// comparison-sort is one algorithm.
#pragma once

#include "problem.hpp"

#include <functional>

namespace bench::comparison_sort {

template <class Algorithms>
void solve(problem& p, const Algorithms& algorithms) {
  algorithms.sort(p.keys.data(), p.keys.data() + p.keys.size(), std::less<>{});
}

}  // namespace bench::comparison_sort
