// The lock of the data that all pools of a process share: signal handlers, and the list of guard pages. Any thread may
// take it.
#pragma once

#include <mutex>

namespace tine::sched {

/// That lock. A thread that holds it doesn't take another lock.
///
/// A child of fork(2) finds the lock free: the thread that forks takes it before, and both processes release it. Before
/// a fork, handlers of pthread_atfork(3) run in the reverse order of their registration. So a lock that is held while
/// this one is taken, and that is held over fork(2), too, must be registered after this one; otherwise two threads
/// could wait for each other. Constructors of the library register all of them, by their priorities: 101 this lock, 102
/// the list of pools, 103 the default pool. If we registered a lock at its first use, a child could be without it,
/// because another thread was just about to register it.
extern constinit std::mutex process_lock;

}  // namespace tine::sched
