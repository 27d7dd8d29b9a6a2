// The problem triangle-count: count the triangles of a graph.
#pragma once

#include "programs/triangle-count/graph.hpp"

#include <functional>
#include <string>

namespace bench::triangle_count {

constexpr int usual_scale = 15;
constexpr int large_scale = 18;

/// A graph, and the number of its triangles.
class problem {
 public:
  /// Makes the graph if `scale` has changed since the last call, and forgets the answer.
  void reset();
  /// Returns a description of the mistake in the answer; empty if it is right.
  std::string mistake() const;

  int scale = usual_scale;
  /// The later neighbours of each vertex. Vertices with many neighbours come last, so no vertex has more later neighbours than
  /// the root of twice the number of edges.
  graph later;
  std::int64_t answer = 0;

 private:
  std::int64_t expected_ = 0;
};

/// Returns the number of vertices that are in both lists. Has no branches, because none could be predicted.
inline std::int64_t common(std::span<const vertex> a, std::span<const vertex> b) {
  std::int64_t count = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const vertex u = a[i], v = b[j];
    count += u == v;
    i += u <= v;
    j += v <= u;
  }
  return count;
}

/// Counts the triangles of a graph: runs the loop over their first vertices on `Firsts`, over their second ones on `Seconds`.
template <class Firsts, class Seconds>
std::int64_t count_triangles(const graph& g, const Firsts& firsts, const Seconds& seconds) {
  const auto with_first = [&](std::size_t u) {
    const auto after_u = g.of(u);
    const auto with_second = [&g, after_u](std::size_t i) { return common(after_u.subspan(i + 1), g.of(after_u[i])); };
    return seconds.reduce(std::size_t{0}, after_u.size(), std::int64_t{0}, with_second, std::plus<>{});
  };
  return firsts.reduce(std::size_t{0}, g.size(), std::int64_t{0}, with_first, std::plus<>{});
}

void serial(problem& p);
void managed(problem& p);
void tuned(problem& p);
void dac(problem& p);
[[gnu::weak]] void tbb(problem& p);
[[gnu::weak]] void openmp(problem& p);

}  // namespace bench::triangle_count
