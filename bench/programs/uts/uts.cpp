// uts: its variants on tine and without forks, its parameters, and the check of its answer.
#include "problem.hpp"

#include "harness/program.hpp"

#include <tine/coro.hpp>
#include <tine/tine.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <new>

namespace bench {

using namespace uts;

namespace {

// Without forks.

/// Counts the nodes of the subtree of `n`.
[[gnu::noinline]] std::int64_t serial_count(const tree& t, const node& n, int depth) {
  const int children = children_of(t, n, depth);
  std::int64_t nodes = 1;
  for (int i = 0; i < children; ++i) nodes += serial_count(t, child_of(n, i), depth + 1);
  return nodes;
}

void serial(problem& p) { p.answer = serial_count(*p.t, root_of(*p.t), 0); }

// Without forks, with the kernel of the coroutines: the children's states and results in an array on the heap.

struct child {
  node state;
  std::int64_t nodes;
};

/// Counts the nodes of the subtree of `n`.
[[gnu::noinline]] std::int64_t serial_stored_count(const tree& t, const node& n, int depth) {
  const int children = children_of(t, n, depth);
  if (children == 0) return 1;
  const auto all = std::make_unique_for_overwrite<child[]>(static_cast<std::size_t>(children));
  child* c = all.get();
  for (int i = 0; i < children; ++i, ++c) {
    ::new (&c->state) node{child_of(n, i)};
    c->nodes = serial_stored_count(t, c->state, depth + 1);
  }
  std::int64_t nodes = 1;
  for (const child* each = all.get(); each < c; ++each) nodes += each->nodes;
  return nodes;
}

void serial_stored(problem& p) { p.answer = serial_stored_count(*p.t, root_of(*p.t), 0); }

// On tine: a node's children are a chain of forks, a child and the rest.

std::int64_t managed_count(const tree& t, const node& n, int depth);

/// Counts the nodes in the subtrees of `parent`'s children from number `i` on. Child `i` must exist.
[[gnu::noinline]] std::int64_t managed_count_from(const tree& t, const node& parent, int depth, int i, int children) {
  if (i == children - 1) return managed_count(t, child_of(parent, i), depth);
  return tine::par([=, &t, &parent] { return managed_count(t, child_of(parent, i), depth); },
                   [=, &t, &parent] { return managed_count_from(t, parent, depth, i + 1, children); }, std::plus<>{});
}

/// Counts the nodes of the subtree of `n`.
[[gnu::noinline]] std::int64_t managed_count(const tree& t, const node& n, int depth) {
  const int children = children_of(t, n, depth);
  if (children == 0) return 1;
  return 1 + managed_count_from(t, n, depth + 1, 0, children);
}

void managed(problem& p) { p.answer = managed_count(*p.t, root_of(*p.t), 0); }

// On tine's coroutines: a fork for each child but the last, which is a call.

/// Counts the nodes of the subtree of `n`.
tine::task<std::int64_t> coro_count(const tree& t, const node& n, int depth) {
  const int children = children_of(t, n, depth);
  if (children == 0) co_return 1;
  const auto all = std::make_unique_for_overwrite<child[]>(static_cast<std::size_t>(children));
  child* c = all.get();
  for (int i = 0; i < children - 1; ++i, ++c) {
    ::new (&c->state) node{child_of(n, i)};
    co_await tine::fork<coro_count>(&c->nodes, t, c->state, depth + 1);
  }
  ::new (&c->state) node{child_of(n, children - 1)};
  c->nodes = co_await tine::call<coro_count>(t, c->state, depth + 1);
  co_await tine::join;
  std::int64_t nodes = 1;
  for (const child* each = all.get(); each <= c; ++each) nodes += each->nodes;
  co_return nodes;
}

void coro(problem& p) { p.answer = tine::run(coro_count, *p.t, root_of(*p.t), 0); }

// On tine's coroutines, with the children's states and results on the parent's segmented stack.

/// Counts the nodes of the subtree of `n`.
tine::task<std::int64_t> coro_alloc_count(const tree& t, const node& n, int depth) {
  const int children = children_of(t, n, depth);
  if (children == 0) co_return 1;
  auto all = co_await tine::scratch<child>(static_cast<std::size_t>(children));
  child* c = all.begin();
  for (int i = 0; i < children - 1; ++i, ++c) {
    ::new (&c->state) node{child_of(n, i)};
    co_await tine::fork<coro_alloc_count>(&c->nodes, t, c->state, depth + 1);
  }
  ::new (&c->state) node{child_of(n, children - 1)};
  c->nodes = co_await tine::call<coro_alloc_count>(t, c->state, depth + 1);
  co_await tine::join;
  std::int64_t nodes = 1;
  for (const child& each : all) nodes += each.nodes;
  co_return nodes;
}

void coro_alloc(problem& p) { p.answer = tine::run(coro_alloc_count, *p.t, root_of(*p.t), 0); }

/// Returns the size of a stack for a walk down to the deepest leaf. No variant needs more than a kibibyte for each
/// level.
std::size_t stack_for(const tree& t) {
  return std::max(std::size_t{8} << 20, static_cast<std::size_t>(t.levels) << 10);
}

}  // namespace

std::string problem::mistake() const {
  return answer == t->nodes ? "" : format("the tree {} has {} nodes, not {}", t->name, t->nodes, answer);
}

program describe_program() {
  static problem p;
  const auto add_options = [](options& o) {
    std::vector<std::pair<std::string, const tree*>> named;
    for (const tree& t : trees) named.emplace_back(t.name, &t);
    o.word("--tree", p.t, named, "Which of the sample trees");
  };
  program it{
      .name = "uts",
      .description = "Counts the nodes of an unbalanced tree that is generated by SHA-1 while it is walked.",
      .add_options = add_options,
      .stack_bytes = [] { return stack_for(*p.t); },
  };
  return completed<problem>(std::move(it), p,
                            {{"serial", runtime_kind::serial, serial},
                             {"serial_stored", runtime_kind::serial, serial_stored},
                             {"managed", runtime_kind::tine, managed},
                             {"coro", runtime_kind::tine_tasks, coro},
                             {"coro_alloc", runtime_kind::tine_tasks, coro_alloc},
                             {"tbb", runtime_kind::tbb, tbb},
                             {"openmp", runtime_kind::openmp, openmp}});
}

}  // namespace bench
