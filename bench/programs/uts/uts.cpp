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

std::int64_t serial(const problem& p) { return serial_count(*p.t, root_of(*p.t), 0); }

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

std::int64_t serial_stored(const problem& p) { return serial_stored_count(*p.t, root_of(*p.t), 0); }

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

std::int64_t managed(const problem& p) { return managed_count(*p.t, root_of(*p.t), 0); }

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

std::int64_t coro(const problem& p) { return tine::run(coro_count, *p.t, root_of(*p.t), 0); }

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

std::int64_t coro_alloc(const problem& p) { return tine::run(coro_alloc_count, *p.t, root_of(*p.t), 0); }

std::vector<std::string> tree_names() {
  std::vector<std::string> names;
  for (const tree& t : trees) names.emplace_back(t.name);
  return names;
}

const tree* tree_named(const std::string& name) {
  return &*std::ranges::find_if(trees, [&](const tree& t) { return t.name == name; });
}

/// Returns the size of a stack for a walk down to the deepest leaf. No variant needs more than a kibibyte for each
/// level.
std::size_t stack_for(const tree& t) {
  return std::max(std::size_t{8} << 20, static_cast<std::size_t>(t.levels) << 10);
}

}  // namespace

program describe_program() {
  static experiment<problem, std::int64_t> e;
  return {
      .name = "uts",
      .description = "Counts the nodes of an unbalanced tree that is generated by SHA-1 while it is walked.",
      .add_options =
          [](options& o) {
            o.word(
                "--tree", e.problem.t->name, tree_names(),
                [](const std::string& name) { e.problem.t = tree_named(name); }, "Which of the sample trees");
          },
      .params = [] { return parameters{{"tree", e.problem.t->name}}; },
      .stack_bytes = [] { return stack_for(*e.problem.t); },
      .variants = {e.by("serial", runtime_kind::serial, serial),
                   e.by("serial_stored", runtime_kind::serial, serial_stored),
                   e.by("managed", runtime_kind::tine, managed), e.by("coro", runtime_kind::tine_tasks, coro),
                   e.by("coro_alloc", runtime_kind::tine_tasks, coro_alloc), e.by("tbb", runtime_kind::tbb, tbb),
                   e.by("openmp", runtime_kind::openmp, openmp)},
      .examine = []() -> finding {
        const tree& t = *e.problem.t;
        if (e.answer == t.nodes) return {e.answer, ""};
        return {e.answer, format("the tree {} has {} nodes, not {}", t.name, t.nodes, e.answer)};
      },
  };
}

}  // namespace bench
