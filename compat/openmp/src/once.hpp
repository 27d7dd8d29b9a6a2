// Objects that the process makes once, when it needs them first. Any thread may call these functions.
#pragma once

#include <atomic>
#include <mutex>

namespace tine::openmp {

/// A thread holds it while it makes something, or looks at the loaded libraries. The thread that forks takes it before
/// fork(2), and both processes release it. So a child finds nothing half made, and glibc's lock of the list of
/// libraries free. A function-local static could stay half made forever in a child.
extern constinit std::mutex once_lock;

/// Returns the object at `made`; the first caller makes it.
template <class T, class Make>
T& once(std::atomic<T*>& made, Make make) {
  if (T* const ready = made.load(std::memory_order_acquire)) return *ready;  // pairs with the release below
  const std::lock_guard guard{once_lock};
  T* object = made.load(std::memory_order_relaxed);  // relaxed: under the lock
  if (object == nullptr) {
    object = make();
    made.store(object, std::memory_order_release);  // pairs with the acquire above
  }
  return *object;
}

}  // namespace tine::openmp
