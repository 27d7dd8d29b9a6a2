// The lock of the process and its handlers for fork(2). See process_lock.hpp.
#include "sched/process_lock.hpp"

#include <pthread.h>

namespace tine::sched {
namespace {

constinit std::mutex lock;

}  // namespace

std::mutex& process_lock() noexcept {
  static const int registered = pthread_atfork([] { lock.lock(); }, [] { lock.unlock(); }, [] { lock.unlock(); });
  static_cast<void>(registered);
  return lock;
}

}  // namespace tine::sched
