// blocking: a region for calls that wait in the kernel and must not be interrupted.
#pragma once

#include <tine/detail/sched/undisturbed.hpp>
#include <tine/managed/sequential.hpp>

#include <utility>

namespace tine {

/// Runs `f()` undisturbed by tine's signals, and returns its result. Meant for code that waits in the kernel, in a call
/// that a signal handler would end with EINTR (`select`, `epoll_wait` and others: signal(7)).
///
/// First, every fork of the calling strand that is still pending becomes stealable, unless it is inside
/// tine::sequential, so that the pool need not interrupt `f` to reach these forks. These promotions are not limited by
/// the promotion policy. In `f` every fork is sequential, the thread does not change, and the pool's signal is blocked
/// in the thread's mask.
///
/// Costs two system calls. The worker stays occupied: its other work waits or is stolen. Outside every pool `blocking`
/// just calls `f`. Thread-safety: may be called on any thread.
template <class F>
auto blocking(F&& f) -> decltype(std::forward<F>(f)()) {
  if (sched::hot::self() == nullptr) return std::forward<F>(f)();
  return sequential([&]() -> decltype(auto) {
    const sched::undisturbed here;
    return std::forward<F>(f)();
  });
}

}  // namespace tine
