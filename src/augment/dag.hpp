// The vertex of a profile with `trace`: the series-parallel picture, in which what has little work is not told apart.
#pragma once

#include "trace/profile.hpp"

#include <tine/base/clock.hpp>
#include <tine/sched/events.hpp>

#include <cstdint>
#include <vector>

namespace tine::detail {

struct dag_node {
  trace::node value;
  dag_node* next = nullptr;  ///< in the same series, or the same parallel node
  dag_node* first_child = nullptr;
  sched::site where = 0;  ///< of a fork or a loop
};

/// A series of nodes, of which the last one is still growing. Nodes are made for what has the threshold of work and what has
/// something like that in it, and stay until the process ends. Only those of a loop's pieces are made before it is known what
/// the loop comes to, and may have to be given up.
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
  void add_leaf(const amount& a) noexcept;
  void end_leaf() noexcept;
  void push(dag_node* n) noexcept;
  void add(trace::node::shape shape, const amount& a, dag_node* children, sched::site where) noexcept;
  void end_chunk() noexcept;

  amount all_;   // since the vertex was made
  amount leaf_;  // since the last node
  dag_node* first_ = nullptr;
  dag_node* last_ = nullptr;
  dag_node* pieces_ = nullptr;   // of a loop's piece: those appended, as nodes, the last one first;
  amount appended_;              // and what they amount to
  base::ticks longest_ = 0;      // of a loop's piece: its longest chunk
  base::ticks chunk_begin_ = 0;  // and the span when the present one began
  std::uint64_t iterations_ = 0;
  base::ticks since_ = 0;
  sched::site forked_at_ = 0;
  sched::site loop_at_ = 0;  // of a loop's piece: where the loop is; pieces are prepared at the same time
};

/// Adds `n` and what is below it to the profile, whose sites are there already.
void add_nodes(trace::profile& into, const dag_node& n);

}  // namespace tine::detail
