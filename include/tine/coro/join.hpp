// join: where a task waits for what it has forked.
#pragma once

#include <tine/coro/task.hpp>

namespace tine {

/// `co_await tine::join` in a task: waits until all tasks that it has forked since the last join have ended. Their results
/// may be read then. If some of them threw, one of the exceptions is thrown here (the first in time) and the others are
/// forgotten. Must follow every fork before the task ends.
inline constexpr struct join_t final {
} join{};

}  // namespace tine
