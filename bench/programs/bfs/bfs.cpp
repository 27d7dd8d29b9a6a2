// bfs: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/algorithms/algorithms_over.hpp"
#include "harness/algorithms/managed.hpp"
#include "harness/loops/divided.hpp"
#include "harness/loops/program_of_loops.hpp"

#include <optional>

namespace bench {

/// Without forks: one queue.
void serial(problem& p) {
  const std::uint32_t* const first = p.g.first.data();
  const vertex* const targets = p.g.targets.data();
  parent* const parents = p.parents.get();
  vertex* const queue = p.frontier.get();
  vertex* end = queue;
  parents[p.source].store(p.source, relaxed);
  *end++ = p.source;
  for (const vertex* next = queue; next != end; ++next) {
    fetch_ahead(p.g, next, end);
    const vertex u = *next;
    for (const vertex *arc = targets + first[u], *last = targets + first[u + 1]; arc != last; ++arc) {
      const vertex v = *arc;
      if (parents[v].load(relaxed) != no_vertex) continue;
      parents[v].store(u, relaxed);
      *end++ = v;
    }
  }
}

void managed(problem& p) { solve(p, managed_algorithms{}); }
void tuned(problem& p) { solve(p, algorithms_over{divided_loops{4}}); }
void dac(problem& p) { solve(p, algorithms_over{divided_loops{single}}); }

namespace {

constexpr std::uint32_t unknown = ~std::uint32_t{0};

vertex parent_of(const problem& p, vertex v) { return p.parents[v].load(relaxed); }

/// Returns the length of the path from every reached vertex over its parents to the source, or nothing if such a path
/// does not lead to the source.
std::optional<std::vector<std::uint32_t>> levels_of(const problem& p) {
  const std::size_t n = p.g.vertices();
  std::vector<std::uint32_t> level(n, unknown);
  if (parent_of(p, p.source) != p.source) return {};
  level[p.source] = 0;
  std::vector<vertex> path;
  for (vertex v = 0; v < n; ++v) {
    path.clear();
    vertex u = v;
    for (; parent_of(p, u) != no_vertex && level[u] == unknown; u = parent_of(p, u)) {
      if (path.size() == n) return {};  // a circle
      path.push_back(u);
    }
    if (path.empty()) continue;
    if (level[u] == unknown) return {};
    for (std::uint32_t l = level[u]; !path.empty(); path.pop_back()) level[path.back()] = ++l;
  }
  return level;
}

}  // namespace

void problem::reset() {
  const std::size_t n = std::size_t{1} << scale;
  if (g.vertices() != n) {
    const edges all = random_edges(scale);
    g = graph_of(n, all);
    source = all.front().first;
    connected_ = component_size(n, all, source);
    parents = std::make_unique<parent[]>(n);
    frontier = std::make_unique_for_overwrite<vertex[]>(n);
    found = std::make_unique_for_overwrite<vertex[]>(g.arcs());
    arcs_before = std::make_unique_for_overwrite<std::uint32_t[]>(n + 1);
  }
  for (vertex v = 0; v < n; ++v) parents[v].store(no_vertex, relaxed);
}

std::size_t problem::answer() const {
  std::size_t count = 0;
  for (vertex v = 0; v < g.vertices(); ++v) count += parent_of(*this, v) != no_vertex;
  return count;
}

const char* problem::mistake() const {
  const auto level = levels_of(*this);
  if (!level) return "the parents do not lead to the source";
  std::vector<bool> has_arc(g.vertices());
  for (vertex u = 0; u < g.vertices(); ++u)
    for (std::uint32_t arc = g.first[u]; arc < g.first[u + 1]; ++arc) {
      const vertex v = g.targets[arc];
      if (parent_of(*this, v) == u) has_arc[v] = true;
      if (((*level)[u] == unknown) != ((*level)[v] == unknown)) return "a vertex was missed";
      if ((*level)[u] != unknown && (*level)[v] > (*level)[u] + 1) return "a path is not the shortest";
    }
  for (vertex v = 0; v < g.vertices(); ++v)
    if (v != source && parent_of(*this, v) != no_vertex && !has_arc[v])
      return "a path takes an arc that does not exist";
  if (answer() != connected_) return "not as many vertices were reached as are connected";
  return "";
}

program describe_program() {
  static problem p;
  program it{
      .name = "bfs",
      .description = "Finds shortest paths from one vertex of a random graph by breadth-first search.",
      .add_options =
          [](options& o) {
            o.size("--scale", p.scale, {1, largest_scale}, large_scale,
                   "2 to the power of this is the number of vertices");
          },
  };
  return program_of_loops(p, std::move(it));
}

}  // namespace bench
