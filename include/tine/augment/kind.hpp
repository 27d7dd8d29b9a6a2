// The table of functions through which the runtime's side of augmentation uses a vertex type.
#pragma once

#include <tine/augment/vertex.hpp>
#include <tine/base/assert.hpp>
#include <tine/sched/events.hpp>

#include <cstdint>
#include <new>
#include <utility>

namespace tine::detail {

/// The events of strands that have only this vertex (alone.hpp).
struct alone_events {
  decltype(sched::watch_events::fork) fork;
  decltype(sched::watch_events::turn) turn;
  decltype(sched::watch_events::join) join;
  decltype(sched::watch_events::begin_whole) begin_whole;
  decltype(sched::watch_events::end_whole) end_whole;
  bool counts_brief_loops;
};

/// A vertex type as a table. Every function runs on the thread of the strand. Storage is aligned to 16 bytes.
struct vertex_kind {
  std::uint32_t bytes;
  bool is_timed;  ///< the type uses the times that its functions get
  sched::watched_loops loops;

  void (*create)(void* v) noexcept;
  void (*destroy)(void* v) noexcept;
  void (*start)(void* v, base::ticks t) noexcept;
  void (*stop)(void* v, base::ticks t) noexcept;
  /// Stops `v`, creates its children, and starts the left child.
  void (*fork)(void* v, void* left, void* right, base::ticks t, sched::site where) noexcept;
  /// Stops the left vertex and starts the right one.
  void (*turn)(void* left, void* right, base::ticks t) noexcept;
  /// Joins and destroys both children, which are stopped, and starts the vertex after the join, in the place of `v`.
  void (*join)(void* v, void* left, void* right, base::ticks t, sched::branch_end how) noexcept;

  // The next five are called only if `loops` says that the type sees loops.
  /// Creates and starts a piece of the loop.
  void (*piece)(void* v, void* piece, std::uint64_t n, base::ticks t, sched::site where) noexcept;
  void (*iteration)(void* piece, std::uint64_t i, std::uint64_t n) noexcept;
  void (*chunk)(void* piece, std::uint64_t iterations, base::ticks t) noexcept;
  /// Appends and destroys `next`, which follows `piece` in the order of iterations. Unless `how` is `unoffered`, `next` was given
  /// away.
  void (*append)(void* piece, void* next, sched::branch_end how) noexcept;
  /// Joins and destroys the piece, and starts the vertex after the loop, in the place of `v`.
  void (*join_loop)(void* v, void* piece, base::ticks t) noexcept;

  // The next two are for loops that are halved, if `loops` says that the type sees loops.
  /// Stops `piece`, moves it to `left`, and starts `left`.
  void (*halve)(void* piece, void* left, base::ticks t) noexcept;
  /// Merges both halves, which are stopped, into one piece in the place of `piece`, and starts it. Unless `right_began`, the right
  /// half has no iterations.
  void (*join_halves)(void* piece, void* left, void* right, base::ticks t, sched::branch_end how,
                      bool right_began) noexcept;
  // The next two are for loops that are halved, if the type sees forks: they move the vertex into the tree, and back.
  void (*move_to_tree)(void* v, void* tree) noexcept;
  void (*move_from_tree)(void* tree, void* v) noexcept;

  const alone_events* alone;
};

template <vertex V>
struct vertex_alone;

template <vertex V>
struct vertex_behind_table {
  static_assert(alignof(V) <= 16, "tine: a vertex type is aligned to at most 16 bytes");

  TINE_ALWAYS_INLINE static V& at(void* v) noexcept { return *static_cast<V*>(v); }

  TINE_ALWAYS_INLINE static void create(void* v) noexcept {
    [[maybe_unused]] V* const made = ::new (v) V();
    if constexpr (only_counts_brief_loops<V>) TINE_ASSERT(static_cast<sched::brief_loops*>(made) == v);
  }
  TINE_ALWAYS_INLINE static void destroy(void* v) noexcept { at(v).~V(); }
  TINE_ALWAYS_INLINE static void start(void* v, base::ticks t) noexcept { start_vertex(at(v), t); }
  TINE_ALWAYS_INLINE static void stop(void* v, base::ticks t) noexcept { stop_vertex(at(v), t); }

  TINE_ALWAYS_INLINE static void fork(void* v, void* left, void* right, base::ticks t, sched::site where) noexcept {
    stop_vertex(at(v), t);
    V& l = *::new (left) V();
    V& r = *::new (right) V();
    fork_vertex(at(v), l, r, where);
    start_vertex(l, t);
  }
  TINE_ALWAYS_INLINE static void turn(void* left, void* right, base::ticks t) noexcept {
    stop_vertex(at(left), t);
    start_vertex(at(right), t);
  }
  TINE_ALWAYS_INLINE static void join(void* v, void* left, void* right, base::ticks t, sched::branch_end how) noexcept {
    join_vertex(at(v), at(left), at(right), how);
    start_vertex(at(v), t);
    destroy(left);
    destroy(right);
  }

  TINE_ALWAYS_INLINE static void piece(void* v, void* piece, std::uint64_t n, base::ticks t,
                                       sched::site where) noexcept {
    loop_vertex(at(v), *::new (piece) V(), n, where);
    start_vertex(at(piece), t);
  }
  TINE_ALWAYS_INLINE static void iteration(void* piece, std::uint64_t i, std::uint64_t n) noexcept {
    if constexpr (counts_iterations<V>) at(piece).iteration(i, n);
  }
  TINE_ALWAYS_INLINE static void chunk(void* piece, std::uint64_t iterations, base::ticks t) noexcept {
    if constexpr (counts_chunks<V>) at(piece).chunk(iterations, t);
  }
  TINE_ALWAYS_INLINE static void append(void* piece, void* next, sched::branch_end how) noexcept {
    if constexpr (loops_as_vertex<V>) append_vertex(at(piece), at(next), how);
    destroy(next);
  }
  TINE_ALWAYS_INLINE static void join_loop(void* v, void* piece, base::ticks t) noexcept {
    if constexpr (loops_as_vertex<V>) join_loop_of_vertex(at(v), at(piece));
    start_vertex(at(v), t);
    destroy(piece);
  }

  static void halve(void* piece, void* left, base::ticks t) noexcept {
    stop(piece, t);
    ::new (left) V(std::move(at(piece)));
    start(left, t);
  }
  static void join_halves(void* piece, void* left, void* right, base::ticks t, sched::branch_end how,
                          bool right_began) noexcept {
    right_began ? append(left, right, how) : destroy(right);
    at(piece) = std::move(at(left));
    start(piece, t);
    destroy(left);
  }
  static void move_to_tree(void* v, void* tree) noexcept { ::new (tree) V(std::move(at(v))); }
  static void move_from_tree(void* tree, void* v) noexcept {
    at(v) = std::move(at(tree));
    destroy(tree);
  }

  static constexpr sched::watched_loops loops = !loops_as_vertex<V>    ? sched::watched_loops::as_forks
                                                : counts_iterations<V> ? sched::watched_loops::one_by_one
                                                                       : sched::watched_loops::in_chunks;
  static constexpr std::uint32_t bytes = (sizeof(V) + 15) / 16 * 16;
  static constexpr bool is_timed = starts_as_vertex<V> || stops_as_vertex<V> || counts_chunks<V>;
  static constexpr vertex_kind table{bytes,  is_timed,     loops,         &create,         &destroy,
                                     &start, &stop,        &fork,         &turn,           &join,
                                     &piece, &iteration,   &chunk,        &append,         &join_loop,
                                     &halve, &join_halves, &move_to_tree, &move_from_tree, &vertex_alone<V>::events};
};

}  // namespace tine::detail
