// How many triangles does a graph have?
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
  /// Makes the graph if `scale` has changed since, and forgets the answer.
  void reset();
  /// What is wrong with the answer; empty if it is right.
  std::string mistake() const;

  int scale = usual_scale;
  /// Of each vertex the neighbours that come later. Vertices with many neighbours come last, so that no vertex has more
  /// than the root of twice the number of edges here.
  graph later;
  std::int64_t answer = 0;

 private:
  std::int64_t expected_ = 0;
};

/// How many vertices are in both. Without branches, because none could be predicted.
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

/// The triangles of a graph: loops over their first vertices, and other loops over their second ones.
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
void tbb(problem& p);
void openmp(problem& p);

}  // namespace bench::triangle_count
