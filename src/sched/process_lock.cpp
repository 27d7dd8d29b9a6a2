// The lock of the process, and the handlers that keep it usable in a child of fork(2). Any thread may take it.
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
