// maximal-matching: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/algorithms/managed.hpp"
#include "harness/algorithms/program_of_algorithms.hpp"
#include "harness/splitmix.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace bench {

void serial(problem& p) {
  for (std::size_t i = 0; i < p.all.size(); ++i) {
    const auto [a, b] = p.all[i];
    if (a != b && p.chosen[a] == no_edge && p.chosen[b] == no_edge)
      p.chosen[a] = p.chosen[b] = static_cast<std::uint32_t>(i);
  }
}

void managed(problem& p) { solve(p, managed_algorithms{}); }

namespace {

/// In the order of the grid, each edge would depend on the edge before it, so a round of reservations would decide few
/// of them.
edges in_random_order(edges all) {
  splitmix random{2};
  for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[random.below(i)]);
  return all;
}

}  // namespace

void problem::reset() {
  if (make_edges() && shape == graph_shape::grid) all = in_random_order(std::move(all));
  chosen.assign(vertices, no_edge);
}

std::size_t problem::answer() const {
  const auto ends = std::ranges::count_if(chosen, [](std::uint32_t i) { return i != no_edge; });
  return static_cast<std::size_t>(ends) / 2;
}

/// There is only one matching in which an edge is chosen exactly if no edge with a smaller number that shares an end
/// with it is.
std::string problem::mistake() const {
  for (vertex v = 0; v < vertices; ++v) {
    const std::uint32_t i = chosen[v];
    if (i == no_edge) continue;
    if (i >= all.size()) return format("there is no edge {}", i);
    const auto [a, b] = all[i];
    if (a == b || (a != v && b != v)) return format("edge {} does not join vertex {} to another", i, v);
    if (chosen[a] != i || chosen[b] != i) return format("edge {} is chosen for one end only", i);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto [a, b] = all[i];
    if (a != b && chosen[a] > i && chosen[b] > i) return format("edge {} has no chosen edge before it at its ends", i);
  }
  return "";
}

program describe_program() {
  static problem p;
  const auto add_options = [](options& o) { p.add_options(o, large_scale); };
  program it{
      .name = "maximal-matching",
      .description = "Chooses a maximal matching of a graph.",
      .add_options = add_options,
      .passes = 4,
  };
  return program_of_algorithms(p, std::move(it));
}

}  // namespace bench
