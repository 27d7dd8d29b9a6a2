// min-spanning-forest: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/algorithms/managed.hpp"
#include "harness/algorithms/program_of_algorithms.hpp"
#include "harness/splitmix.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace bench {
namespace {

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

/// Without forks: Kruskal's algorithm with a filter (Osipov, Sanders and Singler, ALENEX 2009). A quicksort of the
/// edges takes the lighter part first, and drops the edges of the heavier part whose ends are connected by then, before
/// it sorts them.
void serial(problem& p) { kruskal{p}.solve(); }

void managed(problem& p) { solve(p, managed_algorithms{}); }

namespace {

/// The components of a growing forest, as trees whose links have the rank of the edge that joined two components. The
/// smaller tree becomes a child of the other's root, so a path has at most log n links. If edges are added from the
/// lightest to the heaviest, the ranks grow along a path to a root.
class joined_components {
 public:
  explicit joined_components(std::size_t vertices) : parents_(vertices), ranks_(vertices), sizes_(vertices, 1) {
    std::iota(parents_.begin(), parents_.end(), vertex{0});
  }

  /// Returns false if both vertices are in one component.
  bool join(vertex a, vertex b, std::uint64_t rank) {
    while (parents_[a] != a) a = parents_[a];
    while (parents_[b] != b) b = parents_[b];
    if (a == b) return false;
    if (sizes_[a] > sizes_[b]) std::swap(a, b);
    parents_[a] = b;
    ranks_[a] = rank;
    sizes_[b] += sizes_[a];
    return true;
  }

  /// Returns true if the edges up to this rank connect `a` and `b`.
  bool are_joined_by(vertex a, vertex b, std::uint64_t rank) const {
    while (parents_[a] != a && ranks_[a] <= rank) a = parents_[a];
    while (parents_[b] != b && ranks_[b] <= rank) b = parents_[b];
    return a == b;
  }

 private:
  std::vector<vertex> parents_;
  std::vector<std::uint64_t> ranks_;
  std::vector<std::uint32_t> sizes_;
};

}  // namespace

void problem::reset() {
  if (make_edges()) {
    weights.resize(all.size());
    splitmix random{2};
    for (std::uint32_t& weight : weights) weight = static_cast<std::uint32_t>(random() >> 34);
  }
  forest = {};
}

std::uint64_t problem::answer() const {
  std::uint64_t sum = 0;
  for (const std::uint32_t i : forest) sum += weights[i];
  return sum;
}

/// Edges without a cycle are the minimal spanning forest exactly if the ends of each edge are connected by chosen edges
/// that are no heavier than it: then no edge can replace a heavier one.
std::string problem::mistake() const {
  std::vector<std::uint32_t> order = forest;
  for (const std::uint32_t i : order)
    if (i >= all.size()) return format("there is no edge {}", i);
  std::ranges::sort(order, {}, [this](std::uint32_t i) { return rank(i); });
  joined_components components{vertices};
  for (const std::uint32_t i : order)
    if (!components.join(all[i].first, all[i].second, rank(i))) return format("edge {} closes a cycle", i);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!components.are_joined_by(all[i].first, all[i].second, rank(i)))
      return format("edge {} is lighter than an edge of the path between its ends, or there is no path", i);
  return "";
}

program describe_program() {
  static problem p;
  const auto add_options = [](options& o) { p.add_options(o, large_scale); };
  program it{
      .name = "min-spanning-forest",
      .description = "Finds the minimal spanning forest of a graph.",
      .add_options = add_options,
      .params = [] { return p.params(); },
  };
  return program_of_algorithms(p, std::move(it));
}

}  // namespace bench
