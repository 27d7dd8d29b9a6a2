// The problem bfs: find a shortest path from one vertex to every other, in a graph with arcs of length one.
#pragma once

#include "harness/graph.hpp"

#include <atomic>
#include <memory>

namespace bench::bfs {

constexpr int default_scale = 21;
constexpr int large_scale = 22;
constexpr int largest_scale = 23;

/// A vertex's predecessor on its path: `no_vertex` until the vertex is reached, and the vertex itself for the first vertex.
/// Relaxed accesses are enough: a parent is set once, and a thread that finds it set reads nothing that was written before it.
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

  std::size_t count_reached() const;

  /// Returns a description of the mistake in the parents, or "".
  const char* mistake() const;

 private:
  std::size_t connected_ = 0;
};

void serial(problem& p);
void managed(problem& p);
void tuned(problem& p);
void dac(problem& p);
[[gnu::weak]] void tbb(problem& p);
[[gnu::weak]] void openmp(problem& p);

}  // namespace bench::bfs
