// uts without forks.
#include "programs/uts/problem.hpp"

namespace bench::uts {
namespace {

/// Counts the nodes of the subtree of `n`.
[[gnu::noinline]] std::int64_t count(const tree& t, const node& n, int depth) {
  const int children = children_of(t, n, depth);
  std::int64_t nodes = 1;
  for (int i = 0; i < children; ++i) nodes += count(t, child_of(n, i), depth + 1);
  return nodes;
}

}  // namespace

std::int64_t serial(const problem& p) { return count(*p.t, root_of(*p.t), 0); }

}  // namespace bench::uts
