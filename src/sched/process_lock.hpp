// The lock of the data that all pools of a process share: the handlers of signals, and the list of guard pages.
#pragma once

#include <mutex>

namespace tine::sched {

/// That lock. A thread that holds it takes no other lock.
///
/// A child of fork(2) finds the lock free: the thread that forks takes it before, and both processes release it.
/// Handlers of pthread_atfork(3) run in the reverse order of their registration before a fork. So a lock under which
/// this lock is taken, and which is held over fork(2), too, is registered after it; otherwise two threads could wait
/// for each other. Constructors of the library register all of them, in the order of their priorities: 101 this lock,
/// 102 the list of pools, 103 the default pool. Registration at the first use would leave a child without it if another
/// thread is about to register.
extern constinit std::mutex process_lock;

}  // namespace tine::sched
