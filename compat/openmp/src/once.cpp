// The lock over fork(2).
#include "once.hpp"

#include <pthread.h>

namespace tine::openmp {

constinit std::mutex once_lock;

namespace {

/// After the constructors of the runtime (101 to 103), which register locks that a thread takes under ours: handlers
/// run in the reverse order before a fork.
[[gnu::constructor(104)]] void hold_over_fork() {
  ::pthread_atfork([] { once_lock.lock(); }, [] { once_lock.unlock(); }, [] { once_lock.unlock(); });
}

}  // namespace
}  // namespace tine::openmp
