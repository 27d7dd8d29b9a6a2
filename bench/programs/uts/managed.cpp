// uts on tine: a node's children are a chain of forks, a child and the rest.
#include "programs/uts/problem.hpp"

#include <tine/tine.hpp>

#include <functional>

namespace bench::uts {
namespace {

std::int64_t count(const tree& t, const node& n, int depth);

/// Counts the nodes in the subtrees of `parent`'s children from number `i` on. Child `i` must exist.
[[gnu::noinline]] std::int64_t count_from(const tree& t, const node& parent, int depth, int i, int children) {
  if (i == children - 1) return count(t, child_of(parent, i), depth);
  return tine::par([=, &t, &parent] { return count(t, child_of(parent, i), depth); },
                   [=, &t, &parent] { return count_from(t, parent, depth, i + 1, children); }, std::plus<>{});
}

/// Counts the nodes of the subtree of `n`.
[[gnu::noinline]] std::int64_t count(const tree& t, const node& n, int depth) {
  const int children = children_of(t, n, depth);
  if (children == 0) return 1;
  return 1 + count_from(t, n, depth + 1, 0, children);
}

}  // namespace

std::int64_t managed(const problem& p) { return count(*p.t, root_of(*p.t), 0); }

}  // namespace bench::uts
