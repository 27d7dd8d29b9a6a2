// spanning-forest without forks: disjoint sets, with path halving (Tarjan and van Leeuwen, J. ACM 1984).
#include "harness/algorithms/variants/program_of_algorithms.hpp"

#include <numeric>
#include <vector>

namespace bench {

void serial(problem& p) {
  std::vector<vertex> parents(p.vertices);
  std::iota(parents.begin(), parents.end(), vertex{0});
  const auto root_of = [&parents](vertex v) {
    while (parents[v] != v) v = parents[v] = parents[parents[v]];
    return v;
  };
  for (std::size_t i = 0; i < p.all.size(); ++i) {
    const auto [from, to] = p.all[i];
    if (parents[from] == parents[to]) continue;
    const vertex a = root_of(from), b = root_of(to);
    if (a == b) continue;
    parents[std::min(a, b)] = std::max(a, b);
    p.forest.push_back(static_cast<std::uint32_t>(i));
  }
}

}  // namespace bench
