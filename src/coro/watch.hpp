// The operations of joins, thieves and drivers on watched strands.
#pragma once

#include "sched/rendezvous.hpp"

#include <tine/coro/watch.hpp>

namespace tine::detail {

/// Returns the rendezvous where the strand of the frame meets the strands that run continuations given to workers by name; null
/// if there is none.
sched::rendezvous* meeting_of(frame& f) noexcept;
/// Returns the host that must learn of the end of the child on this strand, if its parent's continuation was given to a worker
/// by name; null otherwise.
sched::host* host_of_ended() noexcept;

/// Returns the word where a fiber that waits in the middle of the frame's code leaves its completion for the last child.
handed_on<sched::completion*>& native_join_of(frame& f) noexcept;

/// Called when a forked child has ended on this strand and the strand continues with its parent.
void turn_watched(frame& parent, sched::branch_end how) noexcept;
/// Called when a forked child has ended on this strand and its parent belongs to another strand.
void leave_watched() noexcept;

/// Called when this strand, a thief's, begins to run the frame. Does nothing if the frame is not watched; the functions below
/// do nothing then, either.
void begin_stolen(frame& f) noexcept;
/// Called when this strand has come to the join of the frame, or to an exception, after a steal.
void end_stolen(frame& f) noexcept;
/// Called when all children have ended and the frame belongs to this strand: joins what was forked. `here`: end_stolen was not
/// called before.
void join_watched(frame& f, bool here) noexcept;

/// Called when the strand leaves its thread. The strand must be watched by the returned watch when it comes back, unless that
/// is null.
sched::watch* pause_watching() noexcept;
void go_on_watching(sched::watch* w) noexcept;

}  // namespace tine::detail
