// See problem.hpp.
#include "problem.hpp"

#include "harness/value.hpp"

#include <cmath>

namespace bench::spanning_forest {
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

/// A graph of n vertices and k edges has no cycle exactly if it has n - k components. A forest of these edges spans the graph exactly if each edge
/// of the graph is inside one component of the forest.
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

}  // namespace bench::spanning_forest
