// uts on OpenMP: a task for each child but the last, which is a call.
#include "programs/uts/problem.hpp"

#include <numeric>
#include <vector>

namespace bench::uts {
namespace {

/// Counts the nodes of the subtree of `n`.
[[gnu::noinline]] std::int64_t count(const tree& t, const node& n, int depth) {
  const int children = children_of(t, n, depth);
  if (children == 0) return 1;
  std::vector<std::int64_t> nodes(static_cast<std::size_t>(children));
  for (int i = 0; i < children - 1; ++i) {
#pragma omp task default(none) shared(t, n, nodes) firstprivate(depth, i)
    nodes[static_cast<std::size_t>(i)] = count(t, child_of(n, i), depth + 1);
  }
  nodes.back() = count(t, child_of(n, children - 1), depth + 1);
#pragma omp taskwait
  return std::accumulate(nodes.begin(), nodes.end(), std::int64_t{1});
}

}  // namespace

std::int64_t openmp(const problem& p) { return count(*p.t, root_of(*p.t), 0); }

}  // namespace bench::uts
