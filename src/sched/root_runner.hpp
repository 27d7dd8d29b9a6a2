// The function that runs each root of the process inside a region.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/detail/sched/task.hpp>

namespace tine::sched {

/// How a root came into its pool.
enum class root_origin : unsigned char {
  called,     ///< a thread called into the pool, and waits for the root
  submitted,  ///< it was submitted, and runs on a worker of the pool
};

/// Runs `body(t)` on the strand of the root `t`, inside a region of its choice, and returns the result of `body`. The
/// strand may be on another thread afterwards.
using root_runner = bool (*)(task& t, bool (*body)(task&) noexcept, root_origin from) noexcept;

/// The runner of roots; null: there is none, and the scheduler calls `body(t)` itself. Replay sets it before main if
/// the environment asks for a recording or a replay of the whole process (src/replay/process_roots.cpp). So the
/// scheduler refers to no region.
TINE_API extern constinit root_runner registered_root_runner;

}  // namespace tine::sched
