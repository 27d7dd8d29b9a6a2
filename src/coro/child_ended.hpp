// Slow paths of forks and joins that the driver uses, too.
#pragma once

#include <tine/detail/coro/frame.hpp>

namespace tine::detail {

/// Called when the record of `parent`, at `at`, was promoted, and the child of that fork has ended. Returns true if no
/// thief had stolen the continuation: then it is reclaimed.
bool reclaimed(frame& parent, sched::address at) noexcept;

/// Called when a child of `parent`, whose continuation was stolen, has ended. Returns the parent if the parent
/// continues here, because this was the last child and the parent waits at its join; then it belongs to this strand,
/// which has its stack. Returns null otherwise.
frame* child_ended(frame& parent) noexcept;

/// As child_ended, for the native levels of a driver: they return to the driver, which then continues with that parent.
void leave_to_driver(frame& parent) noexcept;

/// Promotes the strand's pending records, before the strand gets another stack. To be called in the scheduler.
void promote_pending() noexcept;

/// Leaves the fiber until `done` is finished. The shadow stack stays as it is.
void wait_for(sched::completion& done) noexcept;

}  // namespace tine::detail
