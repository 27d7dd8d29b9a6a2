// The problem spanning-forest: choose edges of an undirected graph that connect the same vertices as all edges, and
// form no cycle.
#pragma once

#include "harness/algorithms/counting.hpp"
#include "harness/graph.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace bench {

constexpr int usual_scale = 20;
constexpr int large_scale = 22;

/// A list of edges, and the numbers of the edges of a spanning forest in any order.
class problem : public edge_list {
 public:
  problem() : edge_list{usual_scale} {}

  /// Makes the edges if a parameter has changed since the last call, and forgets the forest.
  void reset();
  /// Returns the number of edges of the forest: the answer that is reported. It is the same for all spanning forests.
  std::size_t answer() const { return forest.size(); }
  /// Returns a description of the mistake in `forest`; empty if it is a spanning forest.
  std::string mistake() const;

  std::vector<std::uint32_t> forest;
};

// A spanning forest by concurrent disjoint sets, linked by number (Jayanti and Tarjan, PODC 2016): each edge that links
// two trees is chosen.

/// Trees of vertices. A parent has a greater number than its child, so there are no cycles; a root is its own parent.
///
/// Relaxed accesses are enough: a parent is a number that stands for itself, and it is an ancestor of the vertex from
/// the moment that it is stored, so a thread that reads an old parent finds the same root, only later. The end of the
/// loop orders all links before the next loop.
class forest_of_sets {
 public:
  explicit forest_of_sets(vertex* parents) : parents_{parents} {}

  /// Halves the path to the root. Two threads may store parents of the same vertex in either order: both are ancestors
  /// of it, and a vertex that is not a root stays none.
  vertex root_of(vertex v) const {
    for (;;) {
      const vertex parent = at(v).load(std::memory_order_relaxed);
      if (parent == v) return v;
      const vertex next = at(parent).load(std::memory_order_relaxed);
      if (next == parent) return parent;
      at(v).store(next, std::memory_order_relaxed);
      v = next;
    }
  }

  /// Links the trees of `a` and `b`. Returns false if both are in one tree. The exchange fails if another thread has
  /// linked the root meanwhile. The other end need not be a root any more: its ancestors have greater numbers, so the
  /// root that is linked is none of them. Ends with the same parent, which most edges have after a while, need no
  /// search.
  bool link(vertex a, vertex b) const {
    if (at(a).load(std::memory_order_relaxed) == at(b).load(std::memory_order_relaxed)) return false;
    for (;;) {
      a = root_of(a);
      b = root_of(b);
      if (a == b) return false;
      if (a > b) std::swap(a, b);
      vertex expected = a;
      if (at(a).compare_exchange_strong(expected, b, std::memory_order_relaxed)) return true;
    }
  }

 private:
  std::atomic_ref<vertex> at(vertex v) const { return std::atomic_ref{parents_[v]}; }

  vertex* parents_;
};

template <class Algorithms>
void solve(problem& p, const Algorithms& algorithms) {
  const std::size_t m = p.all.size();
  const auto parents = std::make_unique_for_overwrite<vertex[]>(p.vertices);
  const auto is_chosen = std::make_unique_for_overwrite<bool[]>(m);
  algorithms.for_each(std::size_t{0}, p.vertices,
                      [parents = parents.get()](std::size_t v) { parents[v] = static_cast<vertex>(v); });
  algorithms.for_each(std::size_t{0}, m,
                      [all = p.all.data(), sets = forest_of_sets{parents.get()}, is_chosen = is_chosen.get()](
                          std::size_t i) { is_chosen[i] = sets.link(all[i].first, all[i].second); });
  p.forest.resize(p.vertices);
  const counting first{std::uint32_t{0}}, last{static_cast<std::uint32_t>(m)};
  const auto end = algorithms.copy_if(first, last, p.forest.data(),
                                      [is_chosen = is_chosen.get()](std::uint32_t i) { return is_chosen[i]; });
  p.forest.resize(static_cast<std::size_t>(end - p.forest.data()));
}

}  // namespace bench
