// spanning-forest: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/algorithms/managed.hpp"
#include "harness/algorithms/program_of_algorithms.hpp"

#include <cmath>
#include <numeric>
#include <vector>

namespace bench {

/// Without forks: disjoint sets, with path halving (Tarjan and van Leeuwen, J. ACM 1984).
void serial(problem& p) {
  std::vector<vertex> parents(p.vertices);
  std::iota(parents.begin(), parents.end(), vertex{0});
  const auto root_of = [&parents](vertex v) {
    while (parents[v] != v) v = parents[v] = parents[parents[v]];
    return v;
  };
  for (std::size_t i = 0; i < p.all.size(); ++i) {
    const auto [from, to] = p.all[i];
    if (parents[from] == parents[to]) continue;
    const vertex a = root_of(from), b = root_of(to);
    if (a == b) continue;
    parents[std::min(a, b)] = std::max(a, b);
    p.forest.push_back(static_cast<std::uint32_t>(i));
  }
}

void managed(problem& p) { solve(p, managed_algorithms{}); }

namespace {

/// Labels the vertices by a search of each component. Returns the number of components.
std::size_t label_components(const graph& g, std::vector<vertex>& labels) {
  labels.assign(g.vertices(), no_vertex);
  std::vector<vertex> queue;
  std::size_t components = 0;
  for (vertex source = 0; source < g.vertices(); ++source) {
    if (labels[source] != no_vertex) continue;
    ++components;
    labels[source] = source;
    queue.assign(1, source);
    while (!queue.empty()) {
      const vertex v = queue.back();
      queue.pop_back();
      for (std::uint32_t arc = g.first[v]; arc < g.first[v + 1]; ++arc) {
        const vertex u = g.targets[arc];
        if (labels[u] != no_vertex) continue;
        labels[u] = source;
        queue.push_back(u);
      }
    }
  }
  return components;
}

}  // namespace

void problem::reset() {
  make_edges();
  forest = {};
}

/// A graph of n vertices and k edges has no cycle exactly if it has n - k components. A forest of these edges spans the
/// graph exactly if each edge of the graph is inside one component of the forest.
std::string problem::mistake() const {
  edges chosen;
  for (const std::uint32_t i : forest) {
    if (i >= all.size()) return format("there is no edge {}", i);
    chosen.push_back(all[i]);
  }
  std::vector<vertex> labels;
  const std::size_t components = label_components(graph_of(vertices, chosen), labels);
  if (components != vertices - forest.size()) return "the chosen edges form a cycle";
  for (std::size_t i = 0; i < all.size(); ++i)
    if (labels[all[i].first] != labels[all[i].second])
      return format("the forest does not connect the ends of edge {}", i);
  return "";
}

program describe_program() {
  static problem p;
  const auto add_options = [](options& o) { p.add_options(o, large_scale); };
  program it{
      .name = "spanning-forest",
      .description = "Finds a spanning forest of a graph.",
      .add_options = add_options,
      .passes = 2,
  };
  return program_of_algorithms(p, std::move(it));
}

}  // namespace bench
