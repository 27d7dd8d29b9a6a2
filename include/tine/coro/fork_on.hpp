// fork_on: a fork in a task that says which worker continues with the caller.
#pragma once

#include <tine/coro/fork.hpp>
#include <tine/sched/placement_hint.hpp>

#include <utility>

namespace tine {

/// `co_await tine::fork_on(worker, ...)` in a task is `co_await tine::fork(...)`, but you choose who continues with the
/// caller: worker number `worker` runs it up to its next fork or join. The child is the first branch. `par_on` says
/// where the assignment is followed, and which exceptions are thrown.
template <class... Args>
  requires requires(Args&&... args) { fork(std::forward<Args>(args)...); }
TINE_ALWAYS_INLINE auto fork_on(int worker, Args&&... args) {
  sched::hint_worker(worker);
  return fork(std::forward<Args>(args)...);
}

}  // namespace tine
