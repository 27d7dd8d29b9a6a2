// Forks of coroutines on watched strands (sched/events.hpp). They are never on the usual path.
//
// The forks of a frame since its last join are right-nested: the second branch of each fork is everything that follows it,
// including the later forks. Their rooms are on the heap, because the frame may continue on another worker; the strand that
// passes the join joins the forks, newest first.
#pragma once

#include <tine/coro/frame.hpp>
#include <tine/sched/events.hpp>

namespace tine::detail {

/// An open fork of a watched frame; the watch's own room follows.
struct alignas(16) watched_room {
  watched_room* previous;          ///< of the same frame
  sched::completion* native_join;  ///< replaces the frame's own: see frame
  const sched::watch_events* events;
  sched::branch_end how;
  bool is_given = false;  ///< the continuation was given to a worker by name

  void* room() noexcept { return this + 1; }
};

/// Called when the parent has written its record at `at`, and the child is about to start on the same strand.
void begin_watched_fork(frame& parent, sched::address at, sched::site where) noexcept;

/// Called when the child's code has returned. Returns the same values as leave_after_fork.
bool leave_after_watched_fork(frame& parent, sched::address at) noexcept;

}  // namespace tine::detail
