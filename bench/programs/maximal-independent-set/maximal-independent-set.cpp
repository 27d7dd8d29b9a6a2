// maximal-independent-set: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/algorithms/managed.hpp"
#include "harness/algorithms/program_of_algorithms.hpp"

namespace bench {

/// Without forks: a choice refuses all neighbours.
void serial(problem& p) {
  for (vertex v = 0; v < p.g.vertices(); ++v) {
    if (p.states[v].load(relaxed) == state::refused) continue;
    p.states[v].store(state::chosen, relaxed);
    for (std::uint32_t arc = p.g.first[v]; arc < p.g.first[v + 1]; ++arc)
      if (const vertex u = p.g.targets[arc]; u > v) p.states[u].store(state::refused, relaxed);
  }
}

void managed(problem& p) { solve(p, managed_algorithms{}); }

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

program describe_program() {
  static problem p;
  const auto add_options = [](options& o) {
    o.size("--scale", p.scale, {1, largest_scale}, large_scale, "2 to the power of this is the number of vertices");
  };
  program it{
      .name = "maximal-independent-set",
      .description = "Chooses a maximal independent set of a random graph.",
      .add_options = add_options,
      .passes = 8,
  };
  return program_of_algorithms(p, std::move(it));
}

}  // namespace bench
