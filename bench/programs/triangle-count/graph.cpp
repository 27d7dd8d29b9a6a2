// See graph.hpp.
#include "programs/triangle-count/graph.hpp"

#include "harness/splitmix.hpp"

#include <algorithm>
#include <numeric>

namespace bench::triangle_count {
namespace {

/// Chooses a quarter of the matrix `scale` times, with the probabilities 0.57, 0.19, 0.19 and 0.05.
edge random_edge(int scale, splitmix& random) {
  vertex row = 0, column = 0;
  for (int level = 0; level < scale; ++level) {
    const std::uint64_t percent = random.below(100);
    row = row << 1 | (percent >= 76);
    column = column << 1 | ((percent >= 57 && percent < 76) || percent >= 95);
  }
  return std::minmax(row, column, std::greater<>{});
}

void forget_twins(std::vector<edge>& edges) {
  std::ranges::sort(edges);
  edges.erase(std::ranges::unique(edges).begin(), edges.end());
}

}  // namespace

graph graph_of(std::size_t vertices, std::vector<edge>& edges) {
  std::ranges::sort(edges);
  graph g;
  g.starts.assign(vertices + 1, 0);
  for (const auto& [from, to] : edges) {
    ++g.starts[from + 1];
    g.neighbours.push_back(to);
  }
  std::partial_sum(g.starts.begin(), g.starts.end(), g.starts.begin());
  return g;
}

std::vector<edge> recursive_matrix(int scale) {
  std::vector<edge> edges(std::size_t{16} << scale);
  splitmix random{1};
  for (edge& e : edges) e = random_edge(scale, random);
  std::erase_if(edges, [](const edge& e) { return e.first == e.second; });
  forget_twins(edges);
  return edges;
}

std::vector<edge> by_degree(std::size_t vertices, const std::vector<edge>& edges) {
  std::vector<vertex> degree(vertices), order(vertices), number(vertices);
  for (const auto& [u, v] : edges) {
    ++degree[u];
    ++degree[v];
  }
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](vertex v) { return std::pair{degree[v], v}; });
  for (std::size_t i = 0; i < vertices; ++i) number[order[i]] = static_cast<vertex>(i);

  std::vector<edge> renamed(edges.size());
  std::ranges::transform(edges, renamed.begin(),
                         [&](const edge& e) -> edge { return std::minmax(number[e.first], number[e.second]); });
  return renamed;
}

}  // namespace bench::triangle_count
