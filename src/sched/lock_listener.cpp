// Passes what locks and waits report on to the lock checker. Any thread may come here.
#include <tine/detail/sched/lock_listener.hpp>

#include <cerrno>

namespace tine::detail {

constinit base::atomic<lock_listener> registered_lock_listener{nullptr};

void tell_of_lock(lock_action what, const void* at, bool is_shared, lock_kind kind, const void* caller) noexcept {
  // acquire pairs with the release in listen_to_locks, so that the listener finds its data
  const lock_listener listener = registered_lock_listener.load(base::acquire);
  const int error = errno;
  listener({what, at, is_shared, 0, caller != nullptr ? caller : __builtin_return_address(0), kind, true});
  errno = error;
}

}  // namespace tine::detail
