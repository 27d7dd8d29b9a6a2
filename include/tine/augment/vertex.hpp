// The vertex interface: the members that you define for an analysis, and how the runtime calls them (Scheduler
// Augmentation, §2).
#pragma once

#include <tine/base/ticks.hpp>
#include <tine/detail/base/macros.hpp>
#include <tine/detail/sched/observer.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace tine {

/// A vertex of the computation graph: it stands for a strand, which ends at a fork, a join or a loop. Your type must be
/// default-constructible and movable, and has some of the members below; the runtime skips those that it does not have.
/// Between `start` and `stop` user code runs at that vertex, and only the strand's thread touches it. All members run
/// on the thread of the strand. They must not throw, fork or wait, and should be short.
///
///     // the strand starts or resumes.
///     void start(base::ticks now);
///     // it ends or pauses; the next vertex starts at the same time.
///     void stop(base::ticks now);
///     // on the vertex that forks: prepares its children.
///     void fork(V& left, V& right);
///     // on the vertex that forked: joins the last vertices of both branches into `after`.
///     void join(V& left, V& right, V& after);
///
/// At the join, `left` and `right` are the last vertices of both branches, and `after` replaces the vertex that forked.
/// Each fork has exactly one join, even if exceptions end the strands in between. A branch that never started joins
/// with the vertex that `fork` prepared.
///
/// Two vertices for each fork cost more than most branches. A type can do with one, while both branches run on the
/// strand that forks: the vertex *continues* in them, one after the other, and remembers what it needs in an
/// `open_fork`. Its members besides `fork` and `join` are then
///
///     struct open_fork { using vertex = V; ... };  // trivial. (A type derived from V doesn't continue.)
///     // the stopped vertex forks, and continues in the first branch.
///     void continue_in_first(open_fork& kept);
///     // the first branch has ended; the vertex continues in the second one.
///     void continue_in_second(open_fork& kept);
///     // the second branch has ended: the vertex becomes the one after the join.
///     void continue_after(open_fork& kept, sched::branch_end how);
///     // the first branch has ended: the same. `second` is the vertex of the second branch, which ran elsewhere, or a
///     // new vertex if that branch did not run.
///     void continue_after(open_fork& kept, V& second, sched::branch_end how);
///
/// The results must be those of `fork` and `join`, because strands with several vertices, and coroutines, have a vertex
/// for each branch.
///
/// A type without the members for loops sees a loop of n iterations as n - 1 forks: the balanced tree over its
/// iterations. A type with these members sees a loop as one node. A *subrange* is a run of iterations on one strand.
/// The schedule decides how a loop is cut into subranges, so a result that has to be exact must not depend on the cuts.
///
///     // on the loop's vertex: prepares a subrange of its n iterations.
///     void loop(V& subrange, std::uint64_t n);
///     // optional; on a subrange: iteration i starts.
///     void iteration(std::uint64_t i, std::uint64_t n);
///     // optional; on a subrange: `iterations` more have ended. An exception that leaves one of them leaves the rest
///     // of its chunk uncounted.
///     void chunk(std::uint64_t iterations, base::ticks now);
///     // on a subrange: appends the next subrange in the order of iterations.
///     void append(V& next);
///     // on the loop's vertex: ends the appended subranges in `after`.
///     void join_loop(V& subrange, V& after);
///
/// A short loop, of a microsecond or two, ends before a thief could start, and observing it may take longer than
/// running it. You can have such loops only counted, on strands without another vertex: give your type
/// `sched::short_loops` as its first base, and a static member `only_counts_short_loops` that is true. The loop's work
/// then belongs to the strand, and its time is estimated (`short_loops::inside`).
///
/// `loop` runs on the threads of the subranges, perhaps on several at once, so it only reads the loop's vertex. A
/// subrange is started and stopped like any vertex. `iteration` makes loops slow, because each iteration then runs
/// alone.
///
/// If an exception leaves a loop, the workers and the lengths of chunks decide which of its iterations have started. So
/// a count that has to be equal in every run takes all `n` iterations of each loop that has joined, as the analyses of
/// tine do. `iteration` is called for those that start, and `chunk` counts those that end.
template <class V>
concept vertex = std::default_initializable<V> && std::movable<V>;

namespace detail {

template <class V>
concept forks_as_vertex = requires(V& v) { v.fork(v, v); };
template <class V>
concept joins_as_vertex = requires(V& v) { v.join(v, v, v); };
template <class V>
concept starts_as_vertex = requires(V& v, base::ticks t) { v.start(t); };
template <class V>
concept stops_as_vertex = requires(V& v, base::ticks t) { v.stop(t); };
template <class V>
concept loops_as_vertex = requires(V& v) {
  requires requires { v.append(v); } || requires { v.append(v, sched::branch_end::unpromoted); };
  requires requires { v.join_loop(v, v); } || requires { v.join_loop(v); };
} && (requires(V& v, std::uint64_t n) { v.loop(v, n); } || requires(V& v, std::uint64_t n) { v.loop(v, n, n); });
template <class V>
concept counts_iterations = requires(V& v, std::uint64_t n) { v.iteration(n, n); };
template <class V>
concept counts_chunks = requires(V& v, std::uint64_t n, base::ticks t) { v.chunk(n, t); };

template <class V>
concept continues_in_branches = requires(V& v, typename V::open_fork& f, sched::branch_end how) {
  requires std::same_as<typename V::open_fork::vertex, V>;
  v.continue_in_first(f);
  v.continue_in_second(f);
  v.continue_after(f, how);
  v.continue_after(f, v, how);
};

template <class V>
concept only_counts_short_loops =
    loops_as_vertex<V> && std::derived_from<V, sched::short_loops> && V::only_counts_short_loops;

template <class V>
TINE_ALWAYS_INLINE void start_vertex(V& v, base::ticks t) noexcept {
  if constexpr (starts_as_vertex<V>) v.start(t);
}
template <class V>
TINE_ALWAYS_INLINE void stop_vertex(V& v, base::ticks t) noexcept {
  if constexpr (stops_as_vertex<V>) v.stop(t);
}
/// tine's own analyses have members with more arguments: the site of a fork or loop in the program, and what became of
/// a second branch. Their `join` and `join_loop` turn the vertex into the one after the join in place.
template <class V>
TINE_ALWAYS_INLINE void fork_vertex(V& v, V& left, V& right, sched::site where) noexcept {
  if constexpr (requires { v.fork(left, right, where); }) {
    v.fork(left, right, where);
  } else if constexpr (forks_as_vertex<V>) {
    v.fork(left, right);
  }
}
template <class V>
TINE_ALWAYS_INLINE void join_vertex(V& v, V& left, V& right, sched::branch_end how) noexcept {
  if constexpr (requires { v.join(left, right, how); }) {
    v.join(left, right, how);
  } else if constexpr (joins_as_vertex<V>) {
    V after{};
    v.join(left, right, after);
    v = std::move(after);
  }
}
template <class V>
TINE_ALWAYS_INLINE void loop_vertex(V& v, V& subrange, std::uint64_t n, sched::site where) noexcept {
  if constexpr (requires { v.loop(subrange, n, where); }) {
    v.loop(subrange, n, where);
  } else if constexpr (loops_as_vertex<V>) {
    v.loop(subrange, n);
  }
}

template <class V>
TINE_ALWAYS_INLINE void join_loop_of_vertex(V& v, V& subrange) noexcept {
  if constexpr (requires { v.join_loop(subrange); }) {
    v.join_loop(subrange);
  } else {
    V after{};
    v.join_loop(subrange, after);
    v = std::move(after);
  }
}

template <class V>
TINE_ALWAYS_INLINE void append_vertex(V& subrange, V& next, sched::branch_end how) noexcept {
  if constexpr (requires { subrange.append(next, how); }) {
    subrange.append(next, how);
  } else {
    subrange.append(next);
  }
}

}  // namespace detail
}  // namespace tine
