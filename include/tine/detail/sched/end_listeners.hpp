// The listeners that a submitted root calls when it has ended. Any thread may add one; one thread closes the list,
// once.
#pragma once

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/object_at.hpp>

#include <cstdint>

namespace tine::sched {

/// It belongs to the code that waits, and lives until it is called or `add` has refused it.
struct end_listener {
  /// Called on the worker that ends the root. The listener may be gone when the call returns.
  void (*call)(end_listener&) noexcept;
  end_listener* next = nullptr;
};

class end_listeners {
 public:
  /// Returns false, and keeps nothing, if the list is closed: then everything that the closing thread did before is
  /// visible.
  bool add(end_listener& l) noexcept {
    // pairs with the exchange in close, so that a refused waiter sees the result
    std::uintptr_t first = first_.load(base::acquire);
    do {
      if (first == closed) return false;
      l.next = base::from_word<end_listener>(first);
      // release pairs with the exchange in close, so that the closing thread sees the listener; acquire as above
    } while (!first_.compare_exchange_strong(first, base::to_word(&l), base::release, base::acquire));
    return true;
  }

  bool has_ended() const noexcept {
    // pairs with the exchange in close, so that the result is seen
    return first_.load(base::acquire) == closed;
  }

  /// Closes the list and returns the listeners, the newest first. The object may be gone as soon as they are called.
  end_listener* close() noexcept {
    // release pairs with the loads in add and has_ended, so that the result is seen; acquire pairs with the exchange in
    // add, so that the listeners are
    return base::from_word<end_listener>(first_.exchange(closed, base::acq_rel));
  }

 private:
  static constexpr std::uintptr_t closed = 1;
  base::atomic<std::uintptr_t> first_{0};
};

}  // namespace tine::sched
