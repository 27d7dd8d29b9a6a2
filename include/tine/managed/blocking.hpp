// blocking: a region for calls that wait in the kernel and must not be interrupted. Any thread may enter one.
#pragma once

#include <tine/detail/sched/undisturbed.hpp>
#include <tine/managed/sequential.hpp>

#include <utility>

namespace tine {

/// Runs `f()` undisturbed by tine's signals, and returns its result. For code that waits in the kernel, in a call that
/// a signal handler would end with EINTR (`select`, `epoll_wait` and others: signal(7)).
///
/// First we make every pending fork of the calling strand stealable, unless it is inside tine::sequential, so that the
/// pool need not interrupt `f` to reach these forks. The promotion policy doesn't limit these promotions. In `f` every
/// fork is sequential, the thread doesn't change, and the pool's signal is blocked in the thread's mask.
///
/// Costs two system calls. The worker stays occupied: its other work waits or is stolen. Outside of every pool
/// `blocking` just calls `f`. Thread-safety: any thread may call it.
template <class F>
auto blocking(F&& f) -> decltype(std::forward<F>(f)()) {
  if (sched::hot::self() == nullptr) return std::forward<F>(f)();
  return sequential([&]() -> decltype(auto) {
    const sched::undisturbed here;
    return std::forward<F>(f)();
  });
}

}  // namespace tine
