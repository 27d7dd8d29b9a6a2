// The lock of what all pools of a process share: the handlers of signals, and the list of guard pages.
#pragma once

#include <mutex>

namespace tine::sched {

/// Returns that lock. No other lock is taken while a thread holds it.
///
/// A child of fork(2) finds it free: the thread that forks takes it before, and both processes release it. Handlers of
/// pthread_atfork(3) run in the reverse order of their registration before a fork. So a lock under which this one is taken, and
/// which is held over fork(2), too, is registered after the first call of this function; else two threads could wait for each other.
std::mutex& process_lock() noexcept;

}  // namespace tine::sched
