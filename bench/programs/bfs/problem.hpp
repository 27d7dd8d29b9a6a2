// The problem bfs: find a shortest path from one vertex to every other, in a graph with arcs of length one.
#pragma once

#include "harness/graph.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

namespace bench {

constexpr int default_scale = 21;
constexpr int large_scale = 22;
constexpr int largest_scale = 23;

/// A vertex's predecessor on its path: `no_vertex` until the vertex is reached, and the vertex itself for the first
/// vertex. Relaxed accesses are enough: a parent is set once, and a thread that finds it set reads nothing that was
/// written before it.
using parent = std::atomic<vertex>;
inline constexpr auto relaxed = std::memory_order_relaxed;

struct problem {
  int scale = default_scale;  ///< the binary logarithm of the number of vertices
  graph g;
  vertex source = 0;
  std::unique_ptr<parent[]> parents;

  // Further arrays of the variants, allocated here so that the variants need not allocate them.
  std::unique_ptr<vertex[]> frontier;            ///< one for each vertex
  std::unique_ptr<vertex[]> found;               ///< one for each arc
  std::unique_ptr<std::uint32_t[]> arcs_before;  ///< one for each vertex, and one more

  /// Makes the graph if `scale` has changed since the last call, and forgets all parents.
  void reset();

  std::size_t answer() const;

  /// Returns a description of the mistake in the parents, or "".
  const char* mistake() const;

 private:
  std::size_t connected_ = 0;
};

// Parallel breadth-first search: level by level, with the arcs of a level's vertices cut into blocks of the same size.

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

  /// Follows the arcs [begin, end), counted over the whole frontier, and writes to `notes` the vertices that it is the
  /// first to reach. Returns the end of the notes.
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
void solve(problem& p, const Algorithms& algorithms) {
  p.parents[p.source].store(p.source, relaxed);
  p.frontier[0] = p.source;
  for (std::size_t size = 1; size > 0;) size = advance(p, size, algorithms);
}

}  // namespace bench
