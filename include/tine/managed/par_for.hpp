// par_for: a loop whose iterations may run in parallel. It runs plain chunks of plain iterations, and splits parts off
// for idle workers only. Any thread may call it.
#pragma once

#include <tine/detail/managed/iterations.hpp>
#include <tine/detail/managed/loop.hpp>

#include <utility>

namespace tine {
namespace detail {

/// The job of a loop without results.
template <class Space, class Body>
struct for_job {
  using result = void_result;
  struct kernel {
    Space space;
    Body body;
  };
  kernel parts;

  static constexpr bool is_copied = cheap_to_copy<kernel>;

  TINE_ALWAYS_INLINE result identity() const noexcept { return {}; }
  TINE_ALWAYS_INLINE std::conditional_t<is_copied, kernel, const kernel&> kept() const noexcept { return parts; }
  TINE_ALWAYS_INLINE static void pass(const kernel& k, result&, std::uint64_t begin, std::uint64_t end) {
    k.space.visit(begin, end,
                  [&](auto&& item) TINE_INLINED { run_iteration(k.body, std::forward<decltype(item)>(item)); });
  }
  void add(result&, result&&) const noexcept {}
};

/// The job of a loop whose body takes a chunk at a time.
template <class Space, class Body>
struct chunks_job {
  using result = void_result;
  struct kernel {
    Space space;
    Body body;
  };
  kernel parts;

  static constexpr bool is_copied = cheap_to_copy<kernel>;

  TINE_ALWAYS_INLINE result identity() const noexcept { return {}; }
  TINE_ALWAYS_INLINE std::conditional_t<is_copied, kernel, const kernel&> kept() const noexcept { return parts; }
  TINE_ALWAYS_INLINE static void pass(const kernel& k, result&, std::uint64_t begin, std::uint64_t end) {
    static_cast<void>(sched::run_here(k.body, k.space.at(begin), k.space.at(end)));
  }
  void add(result&, result&&) const noexcept {}
};

template <class Space, class Body>
TINE_ALWAYS_INLINE void for_chunks(Space space, std::uint64_t n, Body& body) {
  using bound = decltype(space.at(0));
  static_assert(
      std::invocable<const Body&, bound, bound>,
      "tine: the body of par_for_chunks takes two arguments, the start and the end of a subrange, and must be callable as const: a lambda must not be mutable");
  if (n == 0) return;
  chunks_job<Space, Body> job{{space, std::move(body)}};
  run_loop(job, n);
}

template <class Space, class Body>
TINE_ALWAYS_INLINE void for_each(Space space, std::uint64_t n, Body& body) {
  static_assert(check_body<Space, Body>());
  for_job<Space, Body> job{{space, std::move(body)}};
  run_loop(job, n);
}

}  // namespace detail

/// Runs `body(i)` for each i from `lo` up to, but not including, `hi`; possibly in parallel. `lo` and `hi` may be of
/// any two integer types, and i is of their common type; a loop with `hi <= lo` is empty.
///
///     tine::par_for(0, n, [&](int i) { y[i] += a * x[i]; });
///
/// You don't need a grain size: as long as no worker is idle, the iterations run in order, in chunks of plain code that
/// the compiler vectorises as it would the plain loop. An idle worker gets half of the iterations that have not
/// started. While it runs, the loop learns how many iterations make a chunk. On one worker the order is the serial one.
/// A loop of a few short iterations costs about a nanosecond.
///
/// Several workers call `body` at once, as const, so everything that it refers to must allow concurrent use; workers
/// may use copies of `body`. Its result is dropped, but if it is a coroutine that returns a `tine::task`, that task is
/// run. You may call `par_for` anywhere: outside of every pool it uses the default pool.
///
/// If iterations throw, the exception of the first of them, in the order of the loop, is rethrown. All iterations
/// before that one run, as in the serial loop. Later iterations that no worker has started are dropped, and chunks that
/// other workers have started are finished first. (A fork or a loop inside such a chunk throws `tine::stopped`, unless
/// it is inside `tine::unstoppable`.)
template <std::integral Lo, std::integral Hi, class Body>
TINE_ALWAYS_INLINE void par_for(Lo lo, Hi hi, Body body) TINE_REFUSE_IF(
    (detail::changes<Hi>(lo) || detail::changes<Lo>(hi)),
    "tine: one bound of a loop is negative and the other one unsigned: give both the same signedness, as in tine::par_for(-1, std::ssize(v), ...)") {
  detail::for_each(detail::indices_from(lo, hi), detail::distance(lo, hi), body);
}

/// Runs `body(*it)` for each random access iterator from `first` up to `last`, like the loop over indices.
template <detail::random_access It, class Body>
TINE_ALWAYS_INLINE void par_for(It first, It last, Body body) {
  detail::for_each(detail::items<It>{first}, detail::distance(first, last), body);
}

/// Runs `body(item)` for each item of a range with random access iterators: `for (auto& item : range) body(item)`.
template <detail::random_access_range Range, class Body>
TINE_ALWAYS_INLINE void par_for(Range&& range, Body body) {
  const auto first = std::begin(range);
  detail::for_each(detail::items{first}, detail::distance(first, std::end(range)), body);
}

/// Refuses bounds of other types, with a message.
template <class Lo, class Hi, class Body>
  requires detail::no_bounds<Lo, Hi>
void par_for(Lo, Hi, Body) {
  static_assert(detail::refuse_bounds<Lo, Hi>());
}

/// Refuses other ranges, with a message.
template <class Range, class Body>
  requires(!detail::random_access_range<Range>)
void par_for(Range&&, Body) {
  static_assert(detail::refuse_range<Range>());
}

/// Runs `body(begin, end)` for subranges that together are all iterations from `lo` up to, but not including, `hi`;
/// possibly in parallel. For bodies that are faster, or simpler, over many iterations at once: a call of a vector
/// library, a buffer for each subrange, a lock taken once.
///
///     tine::par_for_chunks(0, n, [&](int begin, int end) { scale(&x[begin], end - begin); });
///
/// No subrange is empty. The runtime chooses their lengths as `par_for` chooses its chunks: from one iteration on they
/// grow until a chunk takes some microseconds. So a subrange isn't a block of a fixed size, and the partition differs
/// from run to run. An exception drops the rest of its subrange. Everything else is as in `par_for`.
template <std::integral Lo, std::integral Hi, class Body>
TINE_ALWAYS_INLINE void par_for_chunks(Lo lo, Hi hi, Body body) TINE_REFUSE_IF(
    (detail::changes<Hi>(lo) || detail::changes<Lo>(hi)),
    "tine: one bound of a loop is negative and the other one unsigned: give both the same signedness, as in tine::par_for(-1, std::ssize(v), ...)") {
  detail::for_chunks(detail::indices_from(lo, hi), detail::distance(lo, hi), body);
}

/// Runs `body(begin, end)` for subranges of the random access iterators from `first` up to `last`.
template <detail::random_access It, class Body>
TINE_ALWAYS_INLINE void par_for_chunks(It first, It last, Body body) {
  detail::for_chunks(detail::items<It>{first}, detail::distance(first, last), body);
}

/// Runs `body(begin, end)` for subranges of a range with random access iterators; `begin` and `end` are iterators.
template <detail::random_access_range Range, class Body>
TINE_ALWAYS_INLINE void par_for_chunks(Range&& range, Body body) {
  const auto first = std::begin(range);
  detail::for_chunks(detail::items{first}, detail::distance(first, std::end(range)), body);
}

/// Refuses bounds of other types, with a message.
template <class Lo, class Hi, class Body>
  requires detail::no_bounds<Lo, Hi>
void par_for_chunks(Lo, Hi, Body) {
  static_assert(detail::refuse_bounds<Lo, Hi>());
}

/// Refuses other ranges, with a message.
template <class Range, class Body>
  requires(!detail::random_access_range<Range>)
void par_for_chunks(Range&&, Body) {
  static_assert(detail::refuse_range<Range>());
}

}  // namespace tine
