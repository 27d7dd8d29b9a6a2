// The operations of joins, thieves and drivers on instrumented strands. join.cpp calls them; they call nothing of
// join.cpp.
#pragma once

#include "sched/join_counter.hpp"

#include <tine/detail/coro/observed_fork.hpp>

namespace tine::detail {

/// Returns the join counter at which the strand of the frame waits for the strands that run placed continuations; null
/// if there is none.
sched::join_counter* join_counter_of(frame& f) noexcept;
/// Returns true if the continuation of the fork whose child has ended on this strand, which is instrumented, was placed
/// on a worker.
bool is_ended_placed() noexcept;
/// Returns the placement policy that must learn of the end of the child on this strand, if its parent's continuation
/// was placed on a worker; null otherwise.
sched::placement_policy* policy_of_ended() noexcept;

/// Returns the word where a fiber that waits in the middle of the frame's code leaves its completion for the last
/// child.
handed_on<sched::completion*>& native_join_of(frame& f) noexcept;

/// Returns true if the region of the strand knows of the fork of the frame whose record is at `record`. The signal
/// handler calls it.
bool is_known_to_region(frame& f, sched::address record) noexcept;

/// Called when a forked child has ended on this strand and the strand continues with its parent.
void first_done_observed(frame& parent, sched::branch_end how) noexcept;
/// Called when a forked child has ended on this strand and its parent belongs to another strand.
void suspend_observed() noexcept;

/// Called when this strand, a thief's, begins to run the frame. Does nothing if the frame is not observed; the
/// functions below do nothing then, either.
void begin_stolen(frame& f) noexcept;
/// Called when this strand has come to the join of the frame, or to an exception, after a steal.
void end_stolen(frame& f) noexcept;
/// Called when all children have ended and the frame belongs to this strand: joins what was forked. `here`: end_stolen
/// was not called before.
void join_observed(frame& f, bool here) noexcept;

}  // namespace tine::detail
