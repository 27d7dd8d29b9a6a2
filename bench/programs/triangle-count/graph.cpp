// See graph.hpp.
#include "programs/triangle-count/graph.hpp"

#include "harness/recursive_matrix.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace bench::triangle_count {
namespace {

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
  for (edge& e : edges) {
    const auto [row, column] = recursive_matrix_edge(random, scale);
    e = std::minmax(row, column, std::greater<>{});
  }
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
