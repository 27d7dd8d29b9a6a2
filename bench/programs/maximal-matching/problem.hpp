// The problem maximal-matching: choose edges of an undirected graph so that no two share an end and every other edge
// shares an end with one of them.
#pragma once

#include "harness/algorithms/counting.hpp"
#include "harness/graph.hpp"

#include <algorithm>
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

constexpr std::uint32_t no_edge = ~std::uint32_t{0};

/// A list of edges, and the matching that the loop over all edges in their order would choose. An edge from a vertex to
/// itself is never chosen.
class problem : public edge_list {
 public:
  problem() : edge_list{usual_scale} {}

  /// Makes the edges if a parameter has changed since the last call, and forgets all choices.
  void reset();
  /// Returns the number of chosen edges: the answer that is reported.
  std::size_t answer() const;
  /// Returns a description of the mistake in `chosen`; empty if it is right.
  std::string mistake() const;

  std::vector<std::uint32_t> chosen;  ///< for each vertex the number of its chosen edge, or `no_edge`
};

// A maximal matching in rounds of reservations (Blelloch, Fineman and Shun, SPAA 2012): each edge of a round reserves
// both of its ends, the edge with the smallest number wins an end, and an edge that has won both of its ends is chosen.

/// The edges of a round, and the reservations of all vertices.
///
/// Relaxed accesses to reservations are enough: an edge's number stands for itself, and the end of each loop orders the
/// reservations before the choices. An end that is chosen belongs to the one edge that has won it, so `chosen` needs no
/// atomic accesses: the loops that read it for other edges do not write it.
struct matching_round {
  const std::pair<vertex, vertex>* all;
  std::uint32_t* chosen;
  std::uint32_t* reserved;  ///< for each vertex the smallest number that has reserved it, or `no_edge`

  /// Returns true if neither end has a chosen edge.
  bool is_free(std::uint32_t i) const {
    const auto [a, b] = all[i];
    return a != b && chosen[a] == no_edge && chosen[b] == no_edge;
  }

  void reserve(std::uint32_t i) const {
    reserve(all[i].first, i);
    reserve(all[i].second, i);
  }

  /// Chooses the edge if it has won both ends. The end that it has won alone is released for the next round, in which
  /// the edge tries again unless its other end has been chosen.
  void choose(std::uint32_t i) const {
    const auto [a, b] = all[i];
    const bool has_a = at(a).load(std::memory_order_relaxed) == i, has_b = at(b).load(std::memory_order_relaxed) == i;
    if (has_a && has_b) {
      chosen[a] = chosen[b] = i;
    } else if (has_a) {
      at(a).store(no_edge, std::memory_order_relaxed);
    } else if (has_b) {
      at(b).store(no_edge, std::memory_order_relaxed);
    }
  }

 private:
  std::atomic_ref<std::uint32_t> at(vertex v) const { return std::atomic_ref{reserved[v]}; }

  void reserve(vertex v, std::uint32_t i) const {
    std::uint32_t least = at(v).load(std::memory_order_relaxed);
    while (i < least && !at(v).compare_exchange_weak(least, i, std::memory_order_relaxed)) {
    }
  }
};

/// A round takes a part of the edges in their order, so that most of them find an end chosen and leave at once. The
/// edges that are left from the round before are the first of the next one: they have the smallest numbers.
template <class Algorithms>
void solve(problem& p, const Algorithms& algorithms) {
  const auto reserved = std::make_unique_for_overwrite<std::uint32_t[]>(p.vertices);
  algorithms.for_each(std::size_t{0}, p.vertices, [to = reserved.get()](std::size_t v) { to[v] = no_edge; });
  const matching_round round{p.all.data(), p.chosen.data(), reserved.get()};
  const auto is_free = [round](std::uint32_t i) { return round.is_free(i); };

  const std::size_t m = p.all.size(), part = std::max<std::size_t>(m / 50, 1024);
  std::vector<std::uint32_t> tries(part), left(part);
  std::size_t next = 0, waiting = 0;
  while (next < m || waiting > 0) {
    const std::size_t fresh = std::min(part - waiting, m - next);
    const counting from{static_cast<std::uint32_t>(next)}, to{static_cast<std::uint32_t>(next + fresh)};
    const auto tried =
        static_cast<std::size_t>(algorithms.copy_if(from, to, tries.data() + waiting, is_free) - tries.data());
    next += fresh;
    algorithms.for_each(std::size_t{0}, tried, [round, now = tries.data()](std::size_t k) { round.reserve(now[k]); });
    algorithms.for_each(std::size_t{0}, tried, [round, now = tries.data()](std::size_t k) { round.choose(now[k]); });
    waiting = static_cast<std::size_t>(algorithms.copy_if(tries.data(), tries.data() + tried, left.data(), is_free) -
                                       left.data());
    std::swap(tries, left);
  }
}

}  // namespace bench
