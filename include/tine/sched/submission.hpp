// External work: submits tasks and continuations that do not come from a fork to a worker (DESIGN: "external work").
// Each worker has an inbox, which any thread may fill.
#pragma once

#include <tine/sched/task.hpp>

namespace tine::sched {

class worker;
struct pool_state;

/// An entry of an inbox. It belongs to the thread or strand that submits it, and lives until it is taken.
struct submission {
  task* what;  ///< a task, or a continuation as it is queued
  submission* next = nullptr;
  bool is_bound = false;  ///< only the worker that it is given to may take it, by whichever function it is given
};

/// Gives `s` to `to`, which takes it when it has nothing else to do. If `to` has left the pool or is null, any idle
/// worker takes it. If `to` is null, `s` waits in the inbox of `near`. A bound `s` waits for `to`, which must not leave
/// the pool before. Any thread may call it.
void submit(submission& s, worker* to, worker& near) noexcept;

/// Gives `s` to `to`, which takes it when it has nothing else of its own to do. A worker that has looked for work in
/// vain for some time may take it, too. Any thread may call it.
void submit_kept(submission& s, worker& to) noexcept;

}  // namespace tine::sched
