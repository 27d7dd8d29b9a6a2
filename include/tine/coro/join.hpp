// join: a task waits for the tasks that it has forked.
#pragma once

#include <tine/coro/task.hpp>

namespace tine {

/// `co_await tine::join` in a task: waits until all tasks that it has forked since the last join have ended. Their
/// results may be read then. If some of them threw, the join throws one of the exceptions (the first in time), and the
/// others are dropped. A join must follow every fork before the task ends.
inline constexpr struct join_t final {
} join{};  ///< the only object of its type

}  // namespace tine
