// The vertex of a profile with `trace`: the series-parallel picture, in which what has little work is not told apart.
#pragma once

#include "augment/resolution.hpp"
#include "trace/profile.hpp"

#include <tine/base/clock.hpp>
#include <tine/sched/events.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace tine::detail {

struct dag_node {
  trace::node value;
  dag_node* next = nullptr;  ///< in the same series, or the same parallel node
  dag_node* first_child = nullptr;
  sched::site where = 0;  ///< of a fork or a loop

  // Counted, because the number of nodes decides how finely the dag is drawn.
  static void* operator new(std::size_t bytes) {
    count_node();
    return ::operator new(bytes);
  }
  static void operator delete(void* n) noexcept {
    forget_node();
    ::operator delete(n);
  }
};

/// A series of nodes, of which the last one is still growing. Nodes are made for what has the threshold of work and what has
/// something like that in it, and stay until the threshold has grown past them.
///
/// The vertex of a loop's piece holds the series of the current chunk, and beside it the chunks before. A chunk with nodes of its own
/// becomes a node. All other chunks of a loop become one leaf together, with the sum of their work and the longest of their spans: then
/// the span of a loop is that of its longest child, as that of a fork is, and how a loop was cut into pieces does not show.
class dag_vertex {
 public:
  void start(base::ticks now) noexcept { since_ = now; }
  void stop(base::ticks now) noexcept { run_for(now - since_); }
  void fork(dag_vertex& left, dag_vertex& right, sched::site where) noexcept;
  void join(dag_vertex& left, dag_vertex& right, dag_vertex& after) noexcept;
  void loop(dag_vertex& piece, std::uint64_t n, sched::site where) const noexcept;
  void chunk(std::uint64_t count, base::ticks now) noexcept;
  void append(dag_vertex& next) noexcept;
  void join_loop(dag_vertex& piece, dag_vertex& after) noexcept;

  /// The whole as one node.
  dag_node* close() noexcept;

  /// What a node must have of work to be shown, in ticks.
  static base::ticks threshold() noexcept;

 private:
  struct amount {
    base::ticks work = 0, span = 0;
    std::uint64_t forks = 0;
  };
  void run_for(base::ticks t) noexcept;
  static void add_beside(amount& to, const amount& a) noexcept;
  void add_leaf(const amount& a) noexcept;
  void end_leaf() noexcept;
  void push(dag_node* n) noexcept;
  void fold_if_coarser() noexcept;
  void add(trace::node::shape shape, const amount& a, dag_node* children, sched::site where) noexcept;
  void end_chunk() noexcept;
  void add_chunk(dag_node* n) noexcept;
  void fold_chunks_if_coarser() noexcept;
  void drop() noexcept;

  amount all_;   // since the vertex was made; of a loop's piece: since the current chunk began
  amount leaf_;  // since the last node
  dag_node* first_ = nullptr;
  dag_node* last_ = nullptr;
  base::ticks folded_to_ = 0;  // the threshold that the nodes above have
  // of a loop's piece, for the chunks that have ended:
  amount chunks_;  // all of them
  amount plain_;   // those without nodes
  dag_node* first_chunk_ = nullptr;
  dag_node* last_chunk_ = nullptr;    // valid if there is a first one
  base::ticks chunks_folded_to_ = 0;  // the threshold that these nodes have
  std::uint64_t iterations_ = 0;
  base::ticks since_ = 0;
  sched::site forked_at_ = 0;
  sched::site loop_at_ = 0;  // of a loop's piece: where the loop is; pieces are prepared at the same time
};

/// Adds `n` and what is below it to the profile, whose sites are there already. In nanoseconds, too, each node's work and span are
/// exactly those of its children: not lengths are rounded, but the times at which nodes begin and end.
void add_nodes(trace::profile& into, const dag_node& n);

}  // namespace tine::detail
