// The slow paths of forks and joins that the driver uses, too. Each function runs on the strand of the frame.
#pragma once

#include <tine/detail/coro/frame.hpp>

namespace tine::detail {

/// Called when the child of a fork has ended whose record, at `at`, was promoted. Returns true if we could reclaim the
/// continuation of `parent`, because no thief had stolen it.
bool reclaimed(frame& parent, sched::address at) noexcept;

/// Called when a child has ended and the continuation of `parent` was stolen. Returns the parent if it continues here:
/// it waits at its join and this was its last child. Then it belongs to this strand, which has its stack. Returns null
/// otherwise.
frame* child_ended(frame& parent) noexcept;

/// As child_ended, for code on the native levels above a driver: they return to the driver, which then continues with
/// that parent.
void leave_to_driver(frame& parent) noexcept;

/// Promotes the strand's pending records, because the strand is about to get another stack. Call it in the scheduler.
void promote_pending() noexcept;

/// Suspends the fiber until `done` is finished. The shadow stack stays as it is.
void wait_for(sched::completion& done) noexcept;

}  // namespace tine::detail
