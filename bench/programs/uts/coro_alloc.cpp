// uts on tine's coroutines, with the children's states and results on the parent's segmented stack.
#include "programs/uts/problem.hpp"

#include <tine/coro.hpp>

#include <new>

namespace bench::uts {
namespace {

struct child {
  node state;
  std::int64_t nodes;
};

/// Counts the nodes of the subtree of `n`.
tine::task<std::int64_t> count(const tree& t, const node& n, int depth) {
  const int children = children_of(t, n, depth);
  if (children == 0) co_return 1;
  auto all = co_await tine::scratch<child>(static_cast<std::size_t>(children));
  child* c = all.begin();
  for (int i = 0; i < children - 1; ++i, ++c) {
    ::new (&c->state) node{child_of(n, i)};
    co_await tine::fork<count>(&c->nodes, t, c->state, depth + 1);
  }
  ::new (&c->state) node{child_of(n, children - 1)};
  c->nodes = co_await tine::call<count>(t, c->state, depth + 1);
  co_await tine::join;
  std::int64_t nodes = 1;
  for (const child& each : all) nodes += each.nodes;
  co_return nodes;
}

}  // namespace

std::int64_t coro_alloc(const problem& p) { return tine::run(count, *p.t, root_of(*p.t), 0); }

}  // namespace bench::uts
