// See problem.hpp.
#include "programs/triangle-count/problem.hpp"

#include "harness/value.hpp"

#include <algorithm>

namespace bench::triangle_count {
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

}  // namespace bench::triangle_count
