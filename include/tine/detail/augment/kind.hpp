// The table of functions through which the runtime uses a vertex type. Constant data.
#pragma once

#include <tine/augment/vertex.hpp>
#include <tine/detail/base/assert.hpp>
#include <tine/detail/base/object_at.hpp>
#include <tine/detail/sched/observer.hpp>

#include <cstdint>
#include <new>
#include <utility>

namespace tine::detail {

/// The events of strands that have only this vertex (single_observer.hpp).
struct single_hooks {
  decltype(sched::observer_hooks::fork) fork;
  decltype(sched::observer_hooks::first_done) first_done;
  decltype(sched::observer_hooks::join) join;
  decltype(sched::observer_hooks::open_loop) open_loop;
  decltype(sched::observer_hooks::close_loop) close_loop;
  bool counts_short_loops;
  decltype(sched::observer_hooks::nested_forks) nested_forks;
};

/// A vertex type as a table. Every function runs on the strand's thread. Storage is aligned to 16 bytes.
struct vertex_kind {
  std::uint32_t bytes;
  bool is_timed;  ///< the type uses the times that its functions get
  sched::loop_mode loops;

  void (*create)(void* v) noexcept;
  void (*destroy)(void* v) noexcept;
  void (*start)(void* v, base::ticks t) noexcept;
  void (*stop)(void* v, base::ticks t) noexcept;
  /// Stops `v`, creates its children, and starts the left child.
  void (*fork)(void* v, void* left, void* right, base::ticks t, sched::site where) noexcept;
  /// Stops the left vertex and starts the right one.
  void (*first_done)(void* left, void* right, base::ticks t) noexcept;
  /// Joins and destroys both children, which are stopped, and starts the vertex after the join, in the place of `v`.
  void (*join)(void* v, void* left, void* right, base::ticks t, sched::branch_end how) noexcept;

  // The next five are called only if `loops` says that the type sees loops.
  /// Creates and starts a subrange of the loop.
  void (*subrange)(void* v, void* subrange, std::uint64_t n, base::ticks t, sched::site where) noexcept;
  void (*iteration)(void* subrange, std::uint64_t i, std::uint64_t n) noexcept;
  void (*chunk)(void* subrange, std::uint64_t iterations, base::ticks t) noexcept;
  /// Appends and destroys `next`, which follows `subrange` in the order of iterations. `next` was promoted or placed,
  /// unless `how` is `unpromoted`.
  void (*append)(void* subrange, void* next, sched::branch_end how) noexcept;
  /// Joins and destroys the subrange, and starts the vertex after the loop, in the place of `v`.
  void (*join_loop)(void* v, void* subrange, base::ticks t) noexcept;

  // The next two are for loops that are halved, if the type sees loops.
  /// Stops `subrange`, moves it to `left`, and starts `left`.
  void (*halve)(void* subrange, void* left, base::ticks t) noexcept;
  /// Merges both stopped halves into one subrange in the place of `subrange`, and starts that. The right half has
  /// iterations only if `right_began`.
  void (*join_halves)(void* subrange, void* left, void* right, base::ticks t, sched::branch_end how,
                      bool right_began) noexcept;
  // The next two are for loops that are halved, if the type sees forks: they move the vertex into the tree, and back.
  void (*move_to_tree)(void* v, void* tree) noexcept;
  void (*move_from_tree)(void* tree, void* v) noexcept;

  /// The events of strands that have only this vertex; null: these have the same events as those with several vertices.
  const single_hooks* single;

  /// The strand waits for something outside of the graph, and continues, perhaps on another thread. Null: the vertex is
  /// stopped and started instead.
  void (*pause)(void* v) noexcept = nullptr;
  void (*resume)(void* v) noexcept = nullptr;

  // These are as in sched::observer_hooks.
  bool is_unstealable = false;
  sched::loop_mode unseparated_loops = sched::loop_mode::in_chunks;
  bool has_pieces = false;
  const sched::skip_hooks* skips = nullptr;
};

template <vertex V>
struct single_observer;

template <vertex V>
struct vertex_behind_table {
  static_assert(alignof(V) <= 16, "tine: a vertex type is aligned to at most 16 bytes");

  TINE_ALWAYS_INLINE static V& at(void* v) noexcept { return *base::object_at<V>(v); }

  TINE_ALWAYS_INLINE static void create(void* v) noexcept {
    [[maybe_unused]] V* const made = ::new (v) V();
    if constexpr (only_counts_short_loops<V>) TINE_ASSERT(static_cast<sched::short_loops*>(made) == v);
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
  TINE_ALWAYS_INLINE static void first_done(void* left, void* right, base::ticks t) noexcept {
    stop_vertex(at(left), t);
    start_vertex(at(right), t);
  }
  TINE_ALWAYS_INLINE static void join(void* v, void* left, void* right, base::ticks t, sched::branch_end how) noexcept {
    join_vertex(at(v), at(left), at(right), how);
    start_vertex(at(v), t);
    destroy(left);
    destroy(right);
  }

  TINE_ALWAYS_INLINE static void subrange(void* v, void* subrange, std::uint64_t n, base::ticks t,
                                          sched::site where) noexcept {
    loop_vertex(at(v), *::new (subrange) V(), n, where);
    start_vertex(at(subrange), t);
  }
  TINE_ALWAYS_INLINE static void iteration(void* subrange, std::uint64_t i, std::uint64_t n) noexcept {
    if constexpr (counts_iterations<V>) at(subrange).iteration(i, n);
  }
  TINE_ALWAYS_INLINE static void chunk(void* subrange, std::uint64_t iterations, base::ticks t) noexcept {
    if constexpr (counts_chunks<V>) at(subrange).chunk(iterations, t);
  }
  TINE_ALWAYS_INLINE static void append(void* subrange, void* next, sched::branch_end how) noexcept {
    if constexpr (loops_as_vertex<V>) append_vertex(at(subrange), at(next), how);
    destroy(next);
  }
  TINE_ALWAYS_INLINE static void join_loop(void* v, void* subrange, base::ticks t) noexcept {
    if constexpr (loops_as_vertex<V>) join_loop_of_vertex(at(v), at(subrange));
    start_vertex(at(v), t);
    destroy(subrange);
  }

  static void halve(void* subrange, void* left, base::ticks t) noexcept {
    stop(subrange, t);
    ::new (left) V(std::move(at(subrange)));
    start(left, t);
  }
  static void join_halves(void* subrange, void* left, void* right, base::ticks t, sched::branch_end how,
                          bool right_began) noexcept {
    right_began ? append(left, right, how) : destroy(right);
    at(subrange) = std::move(at(left));
    start(subrange, t);
    destroy(left);
  }
  static void move_to_tree(void* v, void* tree) noexcept { ::new (tree) V(std::move(at(v))); }
  static void move_from_tree(void* tree, void* v) noexcept {
    at(v) = std::move(at(tree));
    destroy(tree);
  }

  static constexpr sched::loop_mode loops = !loops_as_vertex<V>    ? sched::loop_mode::as_forks
                                            : counts_iterations<V> ? sched::loop_mode::one_by_one
                                                                   : sched::loop_mode::in_chunks;
  static constexpr std::uint32_t bytes = (sizeof(V) + 15) / 16 * 16;
  static constexpr bool is_timed = starts_as_vertex<V> || stops_as_vertex<V> || counts_chunks<V>;
  static constexpr vertex_kind table{bytes,        is_timed,      loops,           &create,
                                     &destroy,     &start,        &stop,           &fork,
                                     &first_done,  &join,         &subrange,       &iteration,
                                     &chunk,       &append,       &join_loop,      &halve,
                                     &join_halves, &move_to_tree, &move_from_tree, &single_observer<V>::events};
};

}  // namespace tine::detail
