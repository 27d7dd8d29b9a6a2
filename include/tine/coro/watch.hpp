// Forks of coroutines on watched strands (sched/events.hpp). Never on the usual path.
//
// The forks of a frame since its last join are right-nested: each one's second branch is all that follows it, the later forks
// included. Their rooms are on the heap, because the frame may go on elsewhere; whoever passes the join folds them, newest
// first.
#pragma once

#include <tine/coro/frame.hpp>
#include <tine/sched/events.hpp>

namespace tine::detail {

/// An open fork of a watched frame; the watch's own room follows.
struct alignas(16) watched_room {
  watched_room* previous;          ///< of the same frame
  sched::completion* native_join;  ///< in place of the frame's: see frame
  const sched::watch_events* events;
  sched::branch_end how;
  bool is_given = false;  ///< the continuation goes to a worker by name

  void* room() noexcept { return this + 1; }
};

/// The parent has written its record at `at`, and the child is about to start on the same strand.
void begin_watched_fork(frame& parent, sched::address at, sched::site where) noexcept;

/// The child's code has returned; as leave_after_fork.
bool leave_after_watched_fork(frame& parent, sched::address at) noexcept;

}  // namespace tine::detail
