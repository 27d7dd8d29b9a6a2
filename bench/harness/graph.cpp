// See graph.hpp.
#include "harness/graph.hpp"

#include "harness/splitmix.hpp"

#include <cmath>
#include <numeric>
#include <string>
#include <utility>

namespace bench {

constexpr std::size_t edges_per_vertex = 16;

edges random_edges(int scale) {
  splitmix random{1};
  const std::size_t n = std::size_t{1} << scale;
  // Vertices of high degree have numbers with many zeros; multiplying by an odd number spreads them out.
  const auto renamed = [n](vertex v) { return static_cast<vertex>(v * 0x9e3779b1u & (n - 1)); };
  edges all(n * edges_per_vertex);
  for (auto& [from, to] : all) {
    const auto [f, t] = recursive_matrix_edge(random, scale);
    from = renamed(f);
    to = renamed(t);
  }
  return all;
}

edges grid_edges(std::uint32_t side) {
  std::vector<vertex> number(std::size_t{side} * side * side);
  std::iota(number.begin(), number.end(), vertex{0});
  splitmix random{1};
  for (std::size_t i = number.size(); i > 1; --i) std::swap(number[i - 1], number[random.below(i)]);

  const auto at = [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    return number[(std::size_t{x % side} * side + y % side) * side + z % side];
  };
  edges all;
  all.reserve(3 * number.size());
  for (std::uint32_t x = 0; x < side; ++x)
    for (std::uint32_t y = 0; y < side; ++y)
      for (std::uint32_t z = 0; z < side; ++z)
        for (const vertex neighbour : {at(x + 1, y, z), at(x, y + 1, z), at(x, y, z + 1)})
          all.emplace_back(at(x, y, z), neighbour);
  return all;
}

graph graph_of(std::size_t vertices, const edges& all) {
  graph g;
  g.first.assign(vertices + 1, 0);
  g.targets.resize(2 * all.size());
  for (const auto& [a, b] : all) {
    ++g.first[a];
    ++g.first[b];
  }
  std::inclusive_scan(g.first.begin(), g.first.end(), g.first.begin());
  for (const auto& [a, b] : all) {  // from the end of each vertex's arcs to their beginning
    g.targets[--g.first[a]] = b;
    g.targets[--g.first[b]] = a;
  }
  return g;
}

std::size_t component_size(std::size_t vertices, const edges& all, vertex v) {
  std::vector<vertex> leader(vertices);
  std::iota(leader.begin(), leader.end(), vertex{0});
  const auto leader_of = [&leader](vertex u) {
    while (leader[u] != u) u = leader[u] = leader[leader[u]];
    return u;
  };
  for (const auto& [a, b] : all) leader[leader_of(a)] = leader_of(b);
  std::size_t size = 0;
  for (vertex u = 0; u < vertices; ++u) size += leader_of(u) == leader_of(v);
  return size;
}

void edge_list::add_options(options& o, int large_scale) {
  constexpr int largest_scale = 23;
  o.size("--scale", scale, {1, largest_scale}, large_scale,
         "2 to the power of this is the number of vertices (rmat), or a fourth of it (grid)");
  o.word("--graph", shape, {{"rmat", graph_shape::rmat}, {"grid", graph_shape::grid}}, "Shape of the graph");
}

bool edge_list::make_edges() {
  if (made_scale_ == scale && made_shape_ == shape) return false;
  if (shape == graph_shape::grid) {
    const auto side = static_cast<std::uint32_t>(std::cbrt(std::ldexp(4.0, scale)));
    vertices = std::size_t{side} * side * side;
    all = grid_edges(side);
  } else {
    vertices = std::size_t{1} << scale;
    all = random_edges(scale);
  }
  made_scale_ = scale;
  made_shape_ = shape;
  return true;
}

}  // namespace bench
