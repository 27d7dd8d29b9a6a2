// join: a task waits for the tasks that it has forked.
#pragma once

#include <tine/coro/task.hpp>

namespace tine {

/// `co_await tine::join` in a task: waits for all tasks that it has forked since its last join. You may read their
/// results then. If some of them threw, the join throws the exception that came first and drops the others. Every fork
/// needs a join before its task ends.
inline constexpr struct join_t final {
} join{};  ///< the only object of its type

}  // namespace tine
