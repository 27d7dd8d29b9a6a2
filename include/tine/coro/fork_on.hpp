// A task's fork whose worker the program itself chooses.
#pragma once

#include <tine/coro/fork.hpp>
#include <tine/sched/placement_hint.hpp>

#include <utility>

namespace tine {

/// `co_await tine::fork_on(worker, ...)` in a task is `co_await tine::fork(...)` whose continuation in the caller, up
/// to the caller's next fork or join, is assigned to worker number `worker`. The rules of `par_on` say where the
/// assignment is followed and which exceptions are thrown; the child is the first branch.
template <class... Args>
  requires requires(Args&&... args) { fork(std::forward<Args>(args)...); }
TINE_ALWAYS_INLINE auto fork_on(int worker, Args&&... args) {
  sched::hint_worker(worker);
  return fork(std::forward<Args>(args)...);
}

}  // namespace tine
