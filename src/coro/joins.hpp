// The slow paths of forks and joins that the driver shares with them.
#pragma once

#include <tine/coro/frame.hpp>

namespace tine::detail {

/// The record of `parent`, at `at`, was promoted, and the child it was left for has ended. Whether nobody had stolen it.
bool took_back(frame& parent, sched::address at) noexcept;

/// A child of `parent`, whose continuation was stolen, has ended. The parent, if this was the last one and the join waits
/// for it; then it is ours, and we have its stack.
frame* child_ended(frame& parent) noexcept;

/// The same, on the native levels of a driver, which goes on with that parent.
void leave_to_driver(frame& parent) noexcept;

/// Makes tasks of the strand's pending records, before the strand gets another stack. In the scheduler.
void promote_what_is_older() noexcept;

/// Leaves the fiber until `done` is finished, with the shadow stack as it is.
void wait_for(sched::completion& done) noexcept;

}  // namespace tine::detail
