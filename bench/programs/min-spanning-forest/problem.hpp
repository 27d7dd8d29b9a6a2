// The problem min-spanning-forest: choose edges of an undirected graph that connect the same vertices as all edges, and
// have the least weight.
#pragma once

#include "harness/algorithms/counting.hpp"
#include "harness/graph.hpp"
#include "harness/splitmix.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace bench {

constexpr int usual_scale = 19;
constexpr int large_scale = 21;

/// A list of edges with random weights, and the numbers of the edges of the minimal spanning forest in any order. If
/// two edges have the same weight, the one with the smaller number counts as lighter, so there is only one minimal
/// spanning forest.
class problem : public edge_list {
 public:
  problem() : edge_list{usual_scale} {}

  /// Makes the edges if a parameter has changed since the last call, and forgets the forest.
  void reset();
  /// Returns the weight of the forest: the answer that is reported.
  std::uint64_t answer() const;
  /// Returns a description of the mistake in `forest`; empty if it is the minimal spanning forest.
  std::string mistake() const;

  /// Returns a number that is less for lighter edges.
  std::uint64_t rank(std::size_t i) const { return std::uint64_t{weights[i]} << 32 | i; }

  std::vector<std::uint32_t> weights;
  std::vector<std::uint32_t> forest;
};

// The minimal spanning forest by Borůvka's rounds: each component chooses the lightest edge that leaves it, and
// components that an edge joins become one. The rounds take the lightest edges first, and then the others that still
// join two components (the filter of Osipov, Sanders and Singler, ALENEX 2009).

/// An edge between two components, which are named by one of their vertices.
struct live_edge {
  vertex from, to;
  std::uint32_t weight;
  std::uint32_t number;
};

template <class Algorithms>
class boruvka {
 public:
  boruvka(problem& p, const Algorithms& algorithms)
      : p_{p},
        algorithms_{algorithms},
        parents_{std::make_unique_for_overwrite<vertex[]>(p.vertices)},
        best_{std::make_unique_for_overwrite<std::uint64_t[]>(p.vertices)},
        chosen_{std::make_unique_for_overwrite<std::uint32_t[]>(p.vertices)} {
    algorithms_.for_each(std::size_t{0}, p.vertices, [this](std::size_t v) {
      parents_[v] = static_cast<vertex>(v);
      best_[v] = none;
      chosen_[v] = no_edge;
    });
  }

  /// Joins the components that the edges of weights from `least` to before `bound` join. All lighter edges have been
  /// taken before.
  void take(std::uint64_t least, std::uint64_t bound) {
    const auto is_live = [this, least, bound](std::uint32_t i) {
      const std::uint32_t weight = p_.weights[i];
      return weight >= least && weight < bound && parents_[p_.all[i].first] != parents_[p_.all[i].second];
    };
    const counting first{std::uint32_t{0}}, last{static_cast<std::uint32_t>(p_.all.size())};
    const auto numbers = std::make_unique_for_overwrite<std::uint32_t[]>(p_.all.size());
    const auto end = algorithms_.copy_if(first, last, numbers.get(), is_live);
    count_ = static_cast<std::size_t>(end - numbers.get());
    live_ = std::make_unique_for_overwrite<live_edge[]>(count_);
    next_ = std::make_unique_for_overwrite<live_edge[]>(count_);
    algorithms_.for_each(std::size_t{0}, count_, [this, numbers = numbers.get()](std::size_t k) {
      const auto [a, b] = p_.all[numbers[k]];
      live_[k] = {parents_[a], parents_[b], p_.weights[numbers[k]], numbers[k]};
    });
    while (count_ > 0) join_once();
    algorithms_.for_each(std::size_t{0}, p_.vertices, [this](std::size_t v) { compress(static_cast<vertex>(v)); });
  }

  void write_forest() {
    const auto is_edge = [](std::uint32_t i) { return i != no_edge; };
    p_.forest.resize(p_.vertices);
    const auto end = algorithms_.copy_if(chosen_.get(), chosen_.get() + p_.vertices, p_.forest.data(), is_edge);
    p_.forest.resize(static_cast<std::size_t>(end - p_.forest.data()));
  }

 private:
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  static constexpr std::uint32_t no_edge = ~std::uint32_t{0};

  /// A round. The live edges stay in the order of their numbers, so the place of an edge breaks ties as its number
  /// does.
  void join_once() {
    algorithms_.for_each(std::size_t{0}, count_, [this](std::size_t k) {
      const std::uint64_t rank = std::uint64_t{live_[k].weight} << 32 | k;
      propose(live_[k].from, rank);
      propose(live_[k].to, rank);
    });
    algorithms_.for_each(std::size_t{0}, count_, [this](std::size_t k) {
      const std::uint64_t rank = std::uint64_t{live_[k].weight} << 32 | k;
      hook(live_[k], rank);
    });
    algorithms_.for_each(std::size_t{0}, count_, [this](std::size_t k) {
      live_edge& e = live_[k];
      forget(e.from);
      forget(e.to);
      e.from = compress(e.from);
      e.to = compress(e.to);
    });
    const auto is_between = [](const live_edge& e) { return e.from != e.to; };
    const auto end = algorithms_.copy_if(live_.get(), live_.get() + count_, next_.get(), is_between);
    count_ = static_cast<std::size_t>(end - next_.get());
    std::swap(live_, next_);
  }

  /// Keeps the least rank. Relaxed accesses are enough, here and below: a rank or a parent stands for itself, and the
  /// end of each loop orders its writes before the next loop.
  void propose(vertex v, std::uint64_t rank) const {
    const std::atomic_ref<std::uint64_t> best{best_[v]};
    std::uint64_t least = best.load(std::memory_order_relaxed);
    while (rank < least && !best.compare_exchange_weak(least, rank, std::memory_order_relaxed)) {
    }
  }

  /// Makes the other end the parent of each end that has chosen the edge. If both have, the end with the smaller number
  /// gets the parent. No other edge writes the parent of these ends. Lemma: there is no cycle of more than two parents.
  /// Proof: ranks become less along the edges of such a cycle, because each vertex has chosen its lightest edge.
  void hook(const live_edge& e, std::uint64_t rank) const {
    const bool by_from = best_[e.from] == rank, by_to = best_[e.to] == rank;
    if (!by_from && !by_to) return;
    const bool from_is_child = by_from && (!by_to || e.from < e.to);
    const vertex child = from_is_child ? e.from : e.to;
    parents_[child] = from_is_child ? e.to : e.from;
    chosen_[child] = e.number;
  }

  void forget(vertex v) const { std::atomic_ref{best_[v]}.store(none, std::memory_order_relaxed); }

  /// Returns the root, and makes it the parent. Other threads store ancestors of the same vertices meanwhile, which are
  /// on the same path.
  vertex compress(vertex v) const {
    const auto parent_of = [this](vertex u) { return std::atomic_ref{parents_[u]}.load(std::memory_order_relaxed); };
    vertex root = parent_of(v);
    for (vertex next = parent_of(root); next != root; next = parent_of(root)) root = next;
    if (parent_of(v) != root) std::atomic_ref{parents_[v]}.store(root, std::memory_order_relaxed);
    return root;
  }

  problem& p_;
  const Algorithms& algorithms_;
  std::unique_ptr<vertex[]> parents_;
  std::unique_ptr<std::uint64_t[]> best_;     ///< for each component the least rank of an edge that leaves it
  std::unique_ptr<std::uint32_t[]> chosen_;   ///< for each vertex the edge to its first parent, or `no_edge`
  std::unique_ptr<live_edge[]> live_, next_;  ///< the edges between two components, in the order of their numbers
  std::size_t count_ = 0;                     ///< of live edges
};

/// Returns a weight that about two edges for each vertex are below, by a sample.
inline std::uint64_t weight_of_light_edges(const problem& p) {
  constexpr std::size_t size = 1024;
  const std::size_t rank = size * 2 * p.vertices / p.all.size();
  if (rank >= size * 2 / 3) return std::uint64_t{1} << 32;
  splitmix random{1};
  std::vector<std::uint32_t> sample(size);
  for (std::uint32_t& weight : sample) weight = p.weights[random.below(p.weights.size())];
  std::ranges::nth_element(sample, sample.begin() + static_cast<std::ptrdiff_t>(rank));
  return sample[rank];
}

template <class Algorithms>
void solve(problem& p, const Algorithms& algorithms) {
  boruvka<Algorithms> rounds{p, algorithms};
  const std::uint64_t light = weight_of_light_edges(p);
  rounds.take(0, light);
  rounds.take(light, std::uint64_t{1} << 32);
  rounds.write_forest();
}

}  // namespace bench
