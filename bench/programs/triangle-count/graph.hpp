// Graphs in compressed form, and the random graphs whose triangles are counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace bench::triangle_count {

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

/// Returns an undirected graph with 2^scale vertices by the recursive matrix of the Graph 500 benchmark: a few vertices have a
/// good part of all edges. It draws 16·2^scale random edges, and drops loops and duplicates. Each edge is given once, with the
/// greater vertex first.
std::vector<edge> recursive_matrix(int scale);

/// Returns the graph with its vertices renumbered by their number of neighbours, and with the smaller vertex of an edge first.
std::vector<edge> by_degree(std::size_t vertices, const std::vector<edge>& edges);

}  // namespace bench::triangle_count
