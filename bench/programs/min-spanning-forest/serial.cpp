// min-spanning-forest without forks: Kruskal's algorithm with a filter (Osipov, Sanders and Singler, ALENEX 2009). A quicksort of the edges takes the
// lighter part first, and drops the edges of the heavier part whose ends are connected by then, before it sorts them.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace bench {
namespace {

using namespace min_spanning_forest;

class kruskal {
 public:
  explicit kruskal(problem& p) : p_{p}, parents_(p.vertices), ranks_(p.all.size()) {
    std::iota(parents_.begin(), parents_.end(), vertex{0});
    for (std::size_t i = 0; i < ranks_.size(); ++i) ranks_[i] = p.rank(i);
  }

  void solve() { solve(ranks_.begin(), ranks_.end()); }

 private:
  using iterator = std::vector<std::uint64_t>::iterator;

  static std::uint32_t edge_of(std::uint64_t rank) { return static_cast<std::uint32_t>(rank); }

  vertex root_of(vertex v) {
    while (parents_[v] != v) v = parents_[v] = parents_[parents_[v]];
    return v;
  }

  bool is_inside(std::uint64_t rank) {
    const auto [a, b] = p_.all[edge_of(rank)];
    return root_of(a) == root_of(b);
  }

  void take_in_order(iterator first, iterator last) {
    std::sort(first, last);
    for (; first != last; ++first) {
      const vertex a = root_of(p_.all[edge_of(*first)].first), b = root_of(p_.all[edge_of(*first)].second);
      if (a == b) continue;
      parents_[std::min(a, b)] = std::max(a, b);
      p_.forest.push_back(edge_of(*first));
    }
  }

  void solve(iterator first, iterator last) {
    if (last - first <= fewest_) return take_in_order(first, last);
    const std::uint64_t pivot = median(*first, first[(last - first) / 2], last[-1]);
    const iterator middle = std::partition(first, last, [pivot](std::uint64_t rank) { return rank <= pivot; });
    if (middle == last) return take_in_order(first, last);
    solve(first, middle);
    solve(middle, std::remove_if(middle, last, [this](std::uint64_t rank) { return is_inside(rank); }));
  }

  static std::uint64_t median(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    return std::max(std::min(a, b), std::min(std::max(a, b), c));
  }

  static constexpr std::ptrdiff_t fewest_ = 4096;  ///< so many edges are sorted without a filter

  problem& p_;
  std::vector<vertex> parents_;
  std::vector<std::uint64_t> ranks_;
};

}  // namespace

void serial(problem& p) { kruskal{p}.solve(); }

}  // namespace bench
