// Parallel breadth-first search: level by level, with the arcs of a level's vertices cut into blocks of the same size.
#pragma once

#include "programs/bfs/problem.hpp"

#include <algorithm>
#include <vector>

namespace bench::bfs {

constexpr std::size_t block = 2048;  ///< arcs

/// Makes u the parent of v, and returns true, if v has no parent yet. If two threads see that v has none, the
/// compare-and-swap of one succeeds.
[[gnu::always_inline]] inline bool claim(parent& of_v, vertex u) {
  vertex expected = of_v.load(relaxed);
  return expected == no_vertex && of_v.compare_exchange_strong(expected, u, relaxed, relaxed);
}

/// The vertices on one level. All pointers point to the problem's arrays.
struct level {
  const graph* g;
  parent* parents;
  const vertex* frontier;
  std::size_t size;                  ///< of the frontier
  const std::uint32_t* arcs_before;  ///< the number of arcs of the frontier's vertices before each one, then of all

  /// Follows the arcs [begin, end), counted over the whole frontier, and writes to `notes` the vertices that it is the first
  /// to reach. Returns the end of the notes.
  vertex* expand(std::size_t begin, std::size_t end, vertex* notes) const {
    const std::uint32_t* after = std::upper_bound(arcs_before, arcs_before + size + 1, begin);
    for (const vertex* at = frontier + (after - arcs_before) - 1; begin < end; ++at, ++after) {
      fetch_ahead(*g, at, frontier + size);
      const vertex u = *at;
      const vertex* const targets = g->targets.data() + g->first[u + 1] - *after;
      for (const std::size_t last = std::min<std::size_t>(end, *after); begin < last; ++begin)
        if (const vertex v = targets[begin]; claim(parents[v], u)) *notes++ = v;
    }
    return notes;
  }
};

/// Puts the next level's vertices into the frontier, and returns their number.
template <class Algorithms>
std::size_t advance(problem& p, std::size_t size, const Algorithms& algorithms) {
  const level here{&p.g, p.parents.get(), p.frontier.get(), size, p.arcs_before.get()};
  p.arcs_before[0] = 0;
  algorithms.sums(size, p.arcs_before.get() + 1, [here](std::size_t i) { return here.g->degree(here.frontier[i]); });
  const std::size_t arcs = p.arcs_before[size];

  const std::size_t blocks = (arcs + block - 1) / block;
  std::vector<std::size_t> before(blocks + 1);
  algorithms.for_each(std::size_t{0}, blocks, [=, found = p.found.get(), counts = before.data() + 1](std::size_t b) {
    vertex* const notes = found + b * block;
    counts[b] = static_cast<std::size_t>(here.expand(b * block, std::min(arcs, (b + 1) * block), notes) - notes);
  });
  algorithms.sums(blocks, before.data() + 1, [counts = before.data() + 1](std::size_t b) { return counts[b]; });
  algorithms.for_each(std::size_t{0}, blocks,
                      [found = p.found.get(), to = p.frontier.get(), before = before.data()](std::size_t b) {
                        std::copy_n(found + b * block, before[b + 1] - before[b], to + before[b]);
                      });
  return before[blocks];
}

template <class Algorithms>
void search(problem& p, const Algorithms& algorithms) {
  p.parents[p.source].store(p.source, relaxed);
  p.frontier[0] = p.source;
  for (std::size_t size = 1; size > 0;) size = advance(p, size, algorithms);
}

}  // namespace bench::bfs
