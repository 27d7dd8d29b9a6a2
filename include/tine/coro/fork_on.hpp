// A task's fork whose owner the program itself chooses.
#pragma once

#include <tine/coro/fork.hpp>
#include <tine/sched/owners.hpp>

#include <utility>

namespace tine {

/// `co_await tine::fork_on(owner, ...)` in a task is `co_await tine::fork(...)`, of which what follows in the caller, up to its next
/// fork or join, is for that worker. Where it is heeded, and what it throws, is as for `par_on`; the child is the first branch.
template <class... Args>
  requires requires(Args&&... args) { fork(std::forward<Args>(args)...); }
TINE_ALWAYS_INLINE auto fork_on(int owner, Args&&... args) {
  sched::want_owner(owner);
  return fork(std::forward<Args>(args)...);
}

}  // namespace tine
