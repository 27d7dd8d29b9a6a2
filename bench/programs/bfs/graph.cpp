// See graph.hpp.
#include "programs/bfs/graph.hpp"

#include "harness/splitmix.hpp"

#include <numeric>

namespace bench::bfs {
namespace {

constexpr std::size_t edges_per_vertex = 16;

/// Chooses one of the four quarters of the adjacency matrix `scale` times; 16 random bits for each choice.
std::pair<vertex, vertex> random_edge(splitmix& random, int scale) {
  constexpr std::uint64_t a = 37355, b = 49807, c = 62259;  // 0.57, 0.76 and 0.95 of 2^16
  vertex from = 0, to = 0;
  std::uint64_t bits = 0;
  for (int level = 0; level < scale; ++level) {
    if (level % 4 == 0) bits = random();
    const std::uint64_t choice = bits & 0xffff;
    bits >>= 16;
    from = from << 1 | (choice >= b);
    to = to << 1 | ((choice >= a && choice < b) || choice >= c);
  }
  return {from, to};
}

}  // namespace

edges random_edges(int scale) {
  splitmix random{1};
  const std::size_t n = std::size_t{1} << scale;
  // Vertices of high degree have numbers with many zeros; multiplying by an odd number spreads them out.
  const auto renamed = [n](vertex v) { return static_cast<vertex>(v * 0x9e3779b1u & (n - 1)); };
  edges all(n * edges_per_vertex);
  for (auto& [from, to] : all) {
    const auto [f, t] = random_edge(random, scale);
    from = renamed(f);
    to = renamed(t);
  }
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

}  // namespace bench::bfs
