// The problem triangle-count: count the triangles of a graph.
#pragma once

#include "harness/loops/serial.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace bench {

// Graphs in compressed form, and the random graphs whose triangles are counted.

using vertex = std::uint32_t;
using edge = std::pair<vertex, vertex>;

/// Some of the neighbours of each vertex, in increasing order.
struct graph {
  std::vector<std::int64_t> starts{0};
  std::vector<vertex> neighbours;

  std::size_t size() const { return starts.size() - 1; }
  std::span<const vertex> of(std::size_t v) const {
    return {neighbours.data() + starts[v], neighbours.data() + starts[v + 1]};
  }
};

/// Returns the graph with these edges, each from its first vertex to its second. Sorts the edges.
graph graph_of(std::size_t vertices, std::vector<edge>& edges);

/// Returns an undirected graph with 2^scale vertices by the recursive matrix of the Graph 500 benchmark: a few vertices
/// have a good part of all edges. It draws 16·2^scale random edges, and drops loops and duplicates. Each edge is given
/// once, with the greater vertex first.
std::vector<edge> recursive_matrix(int scale);

/// Returns the graph with its vertices renumbered by their number of neighbours, and with the smaller vertex of an edge
/// first.
std::vector<edge> by_degree(std::size_t vertices, const std::vector<edge>& edges);

constexpr int usual_scale = 15;
constexpr int large_scale = 18;

/// A graph, and the number of its triangles.
class problem {
 public:
  /// Makes the graph if `scale` has changed since the last call, and forgets the answer.
  void reset();
  /// Returns a description of the mistake in the answer; empty if it is right.
  std::string mistake() const;

  int scale = usual_scale;
  /// The later neighbours of each vertex. Vertices with many neighbours come last, so no vertex has more later
  /// neighbours than the root of twice the number of edges.
  graph later;
  std::int64_t answer = 0;

 private:
  std::int64_t expected_ = 0;
};

/// Returns the number of vertices that are in both lists. Has no branches, because none could be predicted.
inline std::int64_t common(std::span<const vertex> a, std::span<const vertex> b) {
  std::int64_t count = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const vertex u = a[i], v = b[j];
    count += u == v;
    i += u <= v;
    j += v <= u;
  }
  return count;
}

/// Counts the triangles of a graph: runs the loop over their first vertices on `Firsts`, over their second ones on
/// `Seconds`.
template <class Firsts, class Seconds = serial_loops>
void solve(problem& p, const Firsts& firsts, const Seconds& seconds = {}) {
  const graph& g = p.later;
  const auto with_first = [&](std::size_t u) {
    const auto after_u = g.of(u);
    const auto with_second = [&g, after_u](std::size_t i) { return common(after_u.subspan(i + 1), g.of(after_u[i])); };
    return seconds.reduce(std::size_t{0}, after_u.size(), std::int64_t{0}, with_second, std::plus<>{});
  };
  p.answer = firsts.reduce(std::size_t{0}, g.size(), std::int64_t{0}, with_first, std::plus<>{});
}

}  // namespace bench
