// The vertex of a profile with `trace`: the series-parallel picture, in which forks and loops with little work are
// merged into leaves. Only the strand of a vertex touches it.
#pragma once

#include "augment/resolution.hpp"
#include "trace/profile.hpp"

#include <tine/base/ticks.hpp>
#include <tine/detail/sched/observer.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace tine::detail {

struct dag_node {
  trace::node value;
  dag_node* next = nullptr;  ///< the next node in the same series or parallel node
  dag_node* first_child = nullptr;
  sched::site where = 0;  ///< the site of a fork or a loop

  // We count nodes, because their number decides how finely we draw the dag.
  static void* operator new(std::size_t bytes) {
    count_node();
    return ::operator new(bytes);
  }
  static void operator delete(void* n) noexcept {
    forget_node();
    ::operator delete(n);
  }
};

/// A series of nodes whose last one still grows. A fork or loop becomes a node if its work reaches the threshold, or if
/// something in it has become a node. It stays one until the threshold has grown past it.
///
/// The vertex of a loop's subrange holds the series of the current chunk, and beside it the chunks before. A chunk with
/// nodes of its own becomes a node. All others become one leaf together, with the sum of their work and the longest of
/// their spans. So a loop's span is that of its longest child, as for a fork, and the cuts into subranges don't show.
///
/// A leaf ends where the strand enters another phase. Leaves of different phases side by side become one if both are
/// below the threshold, so that short phases don't make the dag larger than its cap.
class dag_vertex {
 public:
  void start(base::ticks now) noexcept { since_ = now; }
  void stop(base::ticks now) noexcept { run_for(now - since_); }
  void fork(dag_vertex& left, dag_vertex& right, sched::site where) noexcept;
  void join(dag_vertex& left, dag_vertex& right, dag_vertex& after) noexcept;
  void loop(dag_vertex& subrange, std::uint64_t n, sched::site where) const noexcept;
  void chunk(std::uint64_t count, base::ticks now) noexcept;
  void append(dag_vertex& next) noexcept;
  void join_loop(dag_vertex& subrange, dag_vertex& after) noexcept;

  /// Called before the strand of a root starts, which is in the phase.
  void begin_in(std::uint32_t of_root) noexcept { phase_ = leaf_phase_ = inside_ = of_root; }
  /// The strand enters the phase: its time from now on belongs to it.
  void enter(std::uint32_t into, base::ticks now) noexcept;

  /// Ends the series and returns it as one node.
  dag_node* close() noexcept;

  /// Returns the least work, in ticks, of a node that we show.
  static base::ticks threshold() noexcept;

 private:
  struct amount {
    base::ticks work = 0, span = 0;
    std::uint64_t forks = 0;
  };
  void run_for(base::ticks t) noexcept;
  static void add_beside(amount& to, const amount& a) noexcept;
  void add_leaf(const amount& a, std::uint32_t phase) noexcept;
  void end_leaf() noexcept;
  void push(dag_node* n) noexcept;
  void fold_if_coarser() noexcept;
  void add_plain(const amount& a, std::uint32_t phase) noexcept;
  void add(trace::node::shape shape, const amount& a, dag_node* children, sched::site where,
           std::uint32_t phase) noexcept;
  void end_chunk() noexcept;
  void add_chunk(dag_node* n) noexcept;
  void fold_chunks_if_coarser() noexcept;
  void drop() noexcept;

  amount all_;   // since the vertex was made; in a subrange, since the current chunk started
  amount leaf_;  // since the last node
  dag_node* first_ = nullptr;
  dag_node* last_ = nullptr;
  base::ticks folded_to_ = 0;  // the threshold to which the nodes above were folded
  // Phases: of the strand, of the leaf, and of everything since the vertex was made.
  std::uint32_t phase_ = trace::nothing, leaf_phase_ = trace::nothing, inside_ = trace::nothing;
  // In a loop's subrange, the chunks that have ended:
  amount chunks_;  // all of them
  amount plain_;   // those without nodes
  std::uint32_t plain_phase_ = trace::nothing;
  dag_node* first_chunk_ = nullptr;
  dag_node* last_chunk_ = nullptr;    // valid if there is a first chunk
  base::ticks chunks_folded_to_ = 0;  // the threshold to which these nodes were folded
  std::uint64_t iterations_ = 0;      // all of its loop's
  base::ticks since_ = 0;
  sched::site forked_at_ = 0;
  sched::site loop_at_ = 0;  // in a subrange: the loop's site; several subranges may be prepared at once
};

/// Adds `n` and all nodes below it to the profile, which has its sites already. We round the times at which nodes start
/// and end, not their lengths, so that also in nanoseconds a node's work and span are exactly those of its children.
void add_nodes(trace::profile& into, const dag_node& n);

}  // namespace tine::detail
