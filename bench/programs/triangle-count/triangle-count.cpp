// triangle-count: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/loops/divided.hpp"
#include "harness/loops/managed.hpp"
#include "harness/loops/program_of_loops.hpp"
#include "harness/splitmix.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace bench {

void serial(problem& p) { solve(p, serial_loops{}); }
void managed(problem& p) { solve(p, managed_loops{}, managed_loops{}); }
void tuned(problem& p) { solve(p, divided_loops{64}, divided_loops{64}); }
void dac(problem& p) { solve(p, divided_loops{single}, divided_loops{single}); }

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

namespace {

/// Counts the triangles by marking the earlier neighbours of each vertex, in the order in which the vertices were made.
std::int64_t count_by_marks(const graph& earlier) {
  std::vector<char> marked(earlier.size());
  std::int64_t triangles = 0;
  for (std::size_t u = 0; u < earlier.size(); ++u) {
    for (const vertex v : earlier.of(u)) marked[v] = 1;
    for (const vertex v : earlier.of(u))
      for (const vertex w : earlier.of(v)) triangles += marked[w];
    for (const vertex v : earlier.of(u)) marked[v] = 0;
  }
  return triangles;
}

}  // namespace

void problem::reset() {
  const std::size_t vertices = std::size_t{1} << scale;
  if (later.size() != vertices) {
    std::vector<edge> edges = recursive_matrix(scale);
    expected_ = count_by_marks(graph_of(vertices, edges));
    edges = by_degree(vertices, edges);
    later = graph_of(vertices, edges);
  }
  answer = 0;
}

std::string problem::mistake() const {
  if (answer == expected_) return "";
  return format("the graph has {} triangles, not {}", expected_, answer);
}

program describe_program() {
  static problem p;
  program it{
      .name = "triangle-count",
      .description = "Counts the triangles of a random graph in which few vertices have many neighbours.",
      .add_options =
          [](options& o) { o.size("--scale", p.scale, {1, 24}, large_scale, "The graph has 2^scale vertices"); },
  };
  return program_of_loops(p, std::move(it));
}

}  // namespace bench
