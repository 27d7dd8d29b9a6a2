// Undirected graphs for the programs on graphs, random ones in two shapes, and the input of the programs over a list of
// edges.
#pragma once

#include "harness/options.hpp"
#include "harness/program.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace bench {

using vertex = std::uint32_t;

constexpr vertex no_vertex = ~vertex{0};

/// An undirected graph: every edge is two arcs, one in each direction. The arcs from v end at
/// `targets[first[v]]` to before `targets[first[v + 1]]`.
struct graph {
  std::vector<std::uint32_t> first{0};
  std::vector<vertex> targets;

  std::size_t vertices() const { return first.size() - 1; }
  std::size_t arcs() const { return targets.size(); }
  std::uint32_t degree(vertex v) const { return first[v + 1] - first[v]; }
};

using edges = std::vector<std::pair<vertex, vertex>>;

/// Prefetches the data of the vertices that follow `at`. Without it a search would wait for memory twice for most
/// vertices: for the place of the vertex's arcs, and for the arcs.
[[gnu::always_inline]] inline void fetch_ahead(const graph& g, const vertex* at, const vertex* end) {
  const auto later = [=](std::ptrdiff_t by) { return at[std::min(end - at - 1, by)]; };
  __builtin_prefetch(g.first.data() + later(8));
  __builtin_prefetch(g.targets.data() + g.first[later(3)]);
}

/// Returns the edges of an R-MAT graph (Chakrabarti, Zhan and Faloutsos, SDM 2004) of 2^scale vertices and 16 times as
/// many edges, with the probabilities of the Graph500 benchmark. Loops and several edges between the same vertices are
/// kept.
edges random_edges(int scale);

/// Returns the edges of a cube of side³ vertices, each joined to the next in each of the three directions, and the last
/// to the first. The vertices are numbered at random. All degrees are six, and paths are long.
edges grid_edges(std::uint32_t side);

graph graph_of(std::size_t vertices, const edges& all);

/// Returns the number of vertices that are connected with `v`, including `v`.
std::size_t component_size(std::size_t vertices, const edges& all, vertex v);

enum class graph_shape { rmat, grid };

/// The edges of an R-MAT graph or of a grid, which the options choose.
class edge_list {
 public:
  explicit edge_list(int usual_scale) : scale{usual_scale} {}

  /// Adds the options of the input. `large_scale` is the value of `scale` for `--large`.
  void add_options(options& o, int large_scale);

  int scale;  ///< the binary logarithm of the number of vertices (rmat), or of a fourth of it (grid)
  graph_shape shape = graph_shape::rmat;
  std::size_t vertices = 0;
  edges all;

 protected:
  /// Makes the edges, and returns true, if a parameter has changed since the last call.
  bool make_edges();

 private:
  int made_scale_ = 0;
  graph_shape made_shape_ = graph_shape::rmat;
};

}  // namespace bench
