// Finds the slot of libtine_locks.so and puts a listener into it, when the profiler is created.
#include "augment/listen_to_locks.hpp"

#include "augment/preloaded_slot.hpp"

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/sched/lock_listener.hpp>

#include <cstdlib>
#include <mutex>

namespace tine::detail {
namespace {

using lock_slot = base::atomic<lock_listener>;

base::atomic<bool> heard_lock{false};
void hear(const lock_event&) noexcept {
  heard_lock.store(true, base::relaxed);  // relaxed: a call on any thread is proof
}

}  // namespace

bool listen_to_locks(lock_listener to) noexcept {
  const char* const text = std::getenv("TINE_LOCKS_LISTENER");
  lock_slot* const slot = text != nullptr ? preloaded_slot<lock_slot>(text, "libtine_locks") : nullptr;
  if (slot == nullptr) return false;
  // release pairs with the acquire in the hook, so that it sees the data of the listener
  slot->store(&hear, base::release);
  std::mutex some;
  some.lock();
  some.unlock();
  const bool is_hook = heard_lock.load(base::relaxed);
  // Release pairs with the acquire in listener of the hook, so that a call of the listener sees the data that it reads.
  slot->store(is_hook ? to : nullptr, base::release);
  // release pairs with the acquire in tell_of_lock, likewise
  registered_lock_listener.store(is_hook ? to : nullptr, base::release);
  return is_hook;
}

}  // namespace tine::detail
