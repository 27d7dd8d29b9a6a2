// bfs without forks: one queue.
#include "programs/bfs/problem.hpp"

namespace bench::bfs {

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

}  // namespace bench::bfs
