// The lock of the process and its handlers for fork(2). See process_lock.hpp.
#include "sched/process_lock.hpp"

#include <pthread.h>

namespace tine::sched {
namespace {

[[gnu::constructor(101)]] void register_lock_handlers() noexcept {
  pthread_atfork([] { process_lock.lock(); }, [] { process_lock.unlock(); }, [] { process_lock.unlock(); });
}

}  // namespace

constinit std::mutex process_lock;

}  // namespace tine::sched
