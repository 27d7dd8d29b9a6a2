// The vertex interface: what an analysis defines, and how it is called (Scheduler Augmentation, §2).
#pragma once

#include <tine/base/clock.hpp>
#include <tine/base/config.hpp>
#include <tine/sched/events.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace tine {

/// A vertex of the computation graph: a strand, which forks, joins and loops end. A vertex type can be created, moved, and has
/// some of the members below; what a type lacks is skipped. Between `start` and `stop` user code runs at that vertex, and
/// nobody else touches it. All of them run on the thread of the strand, must not throw, fork or wait, and should be short.
///
///     void start(base::ticks now);                   // the strand begins or goes on
///     void stop(base::ticks now);                    // it ends, or pauses; the next vertex starts at the same time
///     void fork(V& left, V& right);                  // on the vertex that forks: prepares its children
///     void join(V& left, V& right, V& after);        // on the same one: the children's last vertices meet in `after`
///
/// `left` and `right` arrive at the join as what they have become. The vertex that forked is replaced by `after`. Exactly one
/// join comes for each fork, even if exceptions end the strands between; a branch that was never begun joins as it was forked.
///
/// A type that says nothing of loops sees a loop of n iterations as n - 1 forks: the balanced tree over its iterations. One
/// that has these members sees it as one node. A *piece* is a run of iterations on one strand; how a loop is cut into pieces
/// depends on the schedule, so what is to be exact must not depend on that.
///
///     void loop(V& piece, std::uint64_t n);          // on the loop's vertex: prepares a piece of its n iterations
///     void iteration(std::uint64_t i, std::uint64_t n);      // optional; on a piece: iteration i begins
///     void chunk(std::uint64_t iterations, base::ticks now); // optional; on a piece: so many iterations have ended
///     void append(V& next);                          // on a piece: the one that follows in the order of iterations
///     void join_loop(V& piece, V& after);            // on the loop's vertex: the appended pieces end in `after`
///
/// A loop that is over sooner than anybody could help, in a microsecond or two, may take longer to look at than to run. A type
/// with these members whose first base is `sched::brief_loops`, with a static member `only_counts_brief_loops` that is true,
/// finds it counted there instead, where it is a strand's only vertex: what the loop does is then the strand's, and its time is
/// estimated (`brief_loops::inside`).
///
/// `loop` runs on the threads of the pieces, for several at once, so it only reads the loop's vertex.
/// A piece is started and stopped as any vertex. A type with `iteration` costs loops their speed: each iteration is run alone.
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
  requires requires { v.append(v); } || requires { v.append(v, sched::branch_end::unoffered); };
  requires requires { v.join_loop(v, v); } || requires { v.join_loop(v); };
} && (requires(V& v, std::uint64_t n) { v.loop(v, n); } || requires(V& v, std::uint64_t n) { v.loop(v, n, n); });
template <class V>
concept counts_iterations = requires(V& v, std::uint64_t n) { v.iteration(n, n); };
template <class V>
concept counts_chunks = requires(V& v, std::uint64_t n, base::ticks t) { v.chunk(n, t); };

template <class V>
concept only_counts_brief_loops =
    loops_as_vertex<V> && std::derived_from<V, sched::brief_loops> && V::only_counts_brief_loops;

template <class V>
TINE_ALWAYS_INLINE void start_vertex(V& v, base::ticks t) noexcept {
  if constexpr (starts_as_vertex<V>) v.start(t);
}
template <class V>
TINE_ALWAYS_INLINE void stop_vertex(V& v, base::ticks t) noexcept {
  if constexpr (stops_as_vertex<V>) v.stop(t);
}
/// Our own analyses also want to know where in the program a fork or loop stands, and what became of a second branch; they
/// become what follows a join in place.
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
TINE_ALWAYS_INLINE void loop_vertex(V& v, V& piece, std::uint64_t n, sched::site where) noexcept {
  if constexpr (requires { v.loop(piece, n, where); }) {
    v.loop(piece, n, where);
  } else if constexpr (loops_as_vertex<V>) {
    v.loop(piece, n);
  }
}

template <class V>
TINE_ALWAYS_INLINE void join_loop_of_vertex(V& v, V& piece) noexcept {
  if constexpr (requires { v.join_loop(piece); }) {
    v.join_loop(piece);
  } else {
    V after{};
    v.join_loop(piece, after);
    v = std::move(after);
  }
}

template <class V>
TINE_ALWAYS_INLINE void append_vertex(V& piece, V& next, sched::branch_end how) noexcept {
  if constexpr (requires { piece.append(next, how); }) {
    piece.append(next, how);
  } else {
    piece.append(next);
  }
}

}  // namespace detail
}  // namespace tine
