// What joins, thieves and drivers do for watched strands.
#pragma once

#include "sched/rendezvous.hpp"

#include <tine/coro/watch.hpp>

namespace tine::detail {

/// Where the frame's strand meets those whose parents' continuations went to workers by name; null if there is none.
sched::rendezvous* meeting_of(frame& f) noexcept;
/// Of the child that ends on this strand: who is to know of it, if the continuation of its parent was given so.
sched::host* host_of_ended() noexcept;

/// Where to leave word for the last child when a fiber waits in the middle of the frame's code.
handed_on<sched::completion*>& native_join_of(frame& f) noexcept;

/// A forked child has ended on this strand, and so the strand goes on with its parent.
void turn_watched(frame& parent, sched::branch_end how) noexcept;
/// A forked child has ended on this strand, and its parent is somebody else's.
void leave_watched() noexcept;

/// This strand, a thief's, goes on with the frame. Nothing if it is not watched; so all that follow.
void begin_stolen(frame& f) noexcept;
/// This strand has come to the frame's join, or to an exception, after a steal.
void end_stolen(frame& f) noexcept;
/// All children have ended, and the frame is this strand's: what was forked joins. `here`: no end_stolen was before.
void join_watched(frame& f, bool here) noexcept;

/// The strand leaves its thread; it must be watched by what was returned when it comes back, if that is not null.
sched::watch* pause_watching() noexcept;
void go_on_watching(sched::watch* w) noexcept;

}  // namespace tine::detail
