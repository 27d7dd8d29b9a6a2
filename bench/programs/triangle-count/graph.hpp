// Graphs in compressed form, and the random ones whose triangles are counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace bench::triangle_count {

using vertex = std::uint32_t;
using edge = std::pair<vertex, vertex>;

/// For each vertex some of its neighbours, in increasing order.
struct graph {
  std::vector<std::int64_t> starts{0};
  std::vector<vertex> neighbours;

  std::size_t size() const { return starts.size() - 1; }
  std::span<const vertex> of(std::size_t v) const {
    return {neighbours.data() + starts[v], neighbours.data() + starts[v + 1]};
  }
};

/// The graph with these edges, each from its first vertex to its second. Sorts them.
graph graph_of(std::size_t vertices, std::vector<edge>& edges);

/// An undirected graph with 2^scale vertices, each edge given once, the greater vertex first: 16·2^scale random ones, less
/// those that come twice. The recursive matrix of the Graph 500 benchmark: a few vertices have a good part of all edges.
std::vector<edge> recursive_matrix(int scale);

/// The same graph with its vertices numbered by how many neighbours they have, the smaller vertex of an edge first.
std::vector<edge> by_degree(std::size_t vertices, const std::vector<edge>& edges);

}  // namespace bench::triangle_count
