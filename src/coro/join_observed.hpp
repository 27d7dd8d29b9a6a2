// Joins, thieves and drivers on instrumented strands. join.cpp calls these functions, and they call nothing of
// join.cpp. Only the strand that has the frame calls them, unless they say otherwise.
#pragma once

#include "sched/join_counter.hpp"

#include <tine/detail/coro/observed_fork.hpp>

namespace tine::detail {

/// Returns the join counter at which the frame's strand waits for placed continuations; null if there is none.
sched::join_counter* join_counter_of(frame& f) noexcept;
/// Returns true if the child that has ended on this instrumented strand was forked with a placed continuation.
bool is_ended_placed() noexcept;
/// Returns the placement policy that must learn that the child on this strand has ended, because its parent's
/// continuation was placed on a worker; null otherwise.
sched::placement_policy* policy_of_ended() noexcept;

/// Returns the word in which a fiber that waits in the middle of the frame's code leaves a completion for the last
/// child.
handed_on<sched::completion*>& native_join_of(frame& f) noexcept;

/// Returns true if the strand's region knows of the frame's fork whose record is at `record`. The signal handler calls
/// it.
bool is_known_to_region(frame& f, sched::address record) noexcept;

/// Called when a forked child has ended here and the strand continues with its parent.
void first_done_observed(frame& parent, sched::branch_end how) noexcept;
/// Called when a forked child has ended here and its parent belongs to another strand.
void suspend_observed() noexcept;

/// Called when a thief's strand, which is this one, starts to run the frame. Does nothing if the frame is not observed,
/// like the functions below.
void begin_stolen(frame& f) noexcept;
/// Called when this strand comes to the frame's join, or to an exception, after a steal.
void end_stolen(frame& f) noexcept;
/// Called when all children have ended and the frame belongs to this strand: joins what was forked. `here`: there was
/// no call of end_stolen before.
void join_observed(frame& f, bool here) noexcept;

}  // namespace tine::detail
