// See problem.hpp.
#include "problem.hpp"

#include "harness/value.hpp"

namespace bench::maximal_independent_set {

void problem::reset() {
  const std::size_t n = std::size_t{1} << scale;
  if (g.vertices() != n) {
    g = graph_of(n, random_edges(scale));
    states = std::vector<atomic_state>(n);
  }
  for (atomic_state& s : states) s.store(state::undecided, relaxed);
}

std::size_t problem::answer() const {
  std::size_t count = 0;
  for (const atomic_state& s : states) count += s.load(relaxed) == state::chosen;
  return count;
}

/// There is only one set in which a vertex is chosen exactly if no neighbour with a smaller number is.
std::string problem::mistake() const {
  for (vertex v = 0; v < g.vertices(); ++v) {
    bool is_free = true;
    for (std::uint32_t arc = g.first[v]; arc < g.first[v + 1]; ++arc)
      is_free &= !(g.targets[arc] < v && state_of(g.targets[arc]) == state::chosen);
    if (state_of(v) != (is_free ? state::chosen : state::refused)) return format("the choice of vertex {} is wrong", v);
  }
  return "";
}

}  // namespace bench::maximal_independent_set
