// See problem.hpp.
#include "problem.hpp"

#include "harness/splitmix.hpp"
#include "harness/value.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace bench::min_spanning_forest {
namespace {

/// The components of a growing forest, as trees whose links have the rank of the edge that joined two components. The smaller tree becomes a child of
/// the other's root, so a path has at most log n links. If edges are added from the lightest to the heaviest, the ranks grow along a path to
/// a root.
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

/// Edges without a cycle are the minimal spanning forest exactly if the ends of each edge are connected by chosen edges that are no heavier than it:
/// then no edge can replace a heavier one.
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

}  // namespace bench::min_spanning_forest
