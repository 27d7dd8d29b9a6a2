// uts without forks, with the kernel of the coroutines: the children's states and results in an array on the heap.
#include "programs/uts/problem.hpp"

#include <memory>
#include <new>

namespace bench::uts {
namespace {

struct child {
  node state;
  std::int64_t nodes;
};

/// Counts the nodes of the subtree of `n`.
[[gnu::noinline]] std::int64_t count(const tree& t, const node& n, int depth) {
  const int children = children_of(t, n, depth);
  if (children == 0) return 1;
  const auto all = std::make_unique_for_overwrite<child[]>(static_cast<std::size_t>(children));
  child* c = all.get();
  for (int i = 0; i < children; ++i, ++c) {
    ::new (&c->state) node{child_of(n, i)};
    c->nodes = count(t, c->state, depth + 1);
  }
  std::int64_t nodes = 1;
  for (const child* each = all.get(); each < c; ++each) nodes += each->nodes;
  return nodes;
}

}  // namespace

std::int64_t serial_stored(const problem& p) { return count(*p.t, root_of(*p.t), 0); }

}  // namespace bench::uts
