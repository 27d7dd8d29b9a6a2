// The lock of the data that all pools of a process share: the handlers of signals, and the list of guard pages.
#pragma once

#include <mutex>

namespace tine::sched {

/// Returns that lock. A thread that holds it takes no other lock.
///
/// A child of fork(2) finds the lock free: the thread that forks takes it before, and both processes release it.
/// Handlers of pthread_atfork(3) run in the reverse order of their registration before a fork. So a lock under which
/// this lock is taken, and which is held over fork(2), too, must be registered after the first call of this function;
/// otherwise two threads could wait for each other.
std::mutex& process_lock() noexcept;

}  // namespace tine::sched
