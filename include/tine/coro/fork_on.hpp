// A task's fork whose owner the program itself chooses.
#pragma once

#include <tine/coro/fork.hpp>
#include <tine/sched/owners.hpp>

#include <utility>

namespace tine {

/// `co_await tine::fork_on(owner, ...)` in a task is `co_await tine::fork(...)` whose continuation in the caller, up to the
/// caller's next fork or join, is assigned to worker number `owner`. The rules of `par_on` say where the assignment is followed
/// and which exceptions are thrown; the child is the first branch.
template <class... Args>
  requires requires(Args&&... args) { fork(std::forward<Args>(args)...); }
TINE_ALWAYS_INLINE auto fork_on(int owner, Args&&... args) {
  sched::hint_owner(owner);
  return fork(std::forward<Args>(args)...);
}

}  // namespace tine
