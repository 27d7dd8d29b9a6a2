// External work: submits tasks and continuations that do not come from a fork to a worker (DESIGN: "external work").
// Each worker has an inbox, which any thread may fill.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/detail/sched/task.hpp>

namespace tine::sched {

class worker;
class submission_list;
struct pool_state;

/// An element of an inbox. It belongs to the thread or strand that submits it, and lives until a worker takes it.
struct submission {
  task* what;  ///< a task, or a continuation as it is queued
  submission* next = nullptr;
  submission* before = nullptr;
  submission_list* in = nullptr;  ///< the list that it is in; null: none. Valid under the lock of the list
  bool is_bound = false;  ///< only the worker that it is submitted to may take it, whichever function submits it
};

/// Submits `s` to `to` as a pinned submission: `to` takes it when it has nothing else to do. If `to` has left the pool
/// or is null, `s` becomes a shared submission: any idle worker takes it. If `to` is null, `s` waits in the inbox of
/// `near`. A bound `s` waits for `to`, which must not leave the pool before. Any thread may call it.
TINE_API void submit(submission& s, worker* to, worker& near) noexcept;

/// Submits `s` to `to` as an affinity submission: `to` takes it when it has nothing else of its own to do. A worker
/// that has looked for work in vain for some time may take it, too. Any thread may call it.
TINE_API void submit_affine(submission& s, worker& to) noexcept;

}  // namespace tine::sched
