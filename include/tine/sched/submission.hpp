// External work: how something from outside gets onto a worker (DESIGN: "external work"). Each worker has an inbox, which
// any thread may fill.
#pragma once

#include <tine/sched/task.hpp>

namespace tine::sched {

class worker;
struct pool_state;

/// One thing in an inbox. Belongs to whoever submits it and lives until it is taken.
struct submission {
  task* what;  ///< a task, or a continuation as it is queued
  submission* next = nullptr;
  bool is_bound = false;  ///< only the worker that it is given to may take it, however it is given
};

/// Gives `s` to `to`, which takes it when it has nothing else to do; or to any worker that is idle, if `to` has left the
/// pool or is null. `near`: in whose inbox it waits then. A bound `s` waits for `to`, which must not leave the pool before. Any thread.
void submit(submission& s, worker* to, worker& near) noexcept;

/// Gives `s` to `to`, which takes it when it has nothing else of its own to do; or to whoever has looked for work in vain for
/// some time. Any thread.
void submit_kept(submission& s, worker& to) noexcept;

}  // namespace tine::sched
