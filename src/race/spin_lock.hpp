// A lock of the detector that is held for a few instructions.
#pragma once

#include <tine/detail/base/atomic.hpp>

#include <sched.h>

namespace tine::detail {

/// A lock for the tables that change whenever memory is allocated or freed. A thread that waits for it gives its
/// processor away.
class spin_lock {
 public:
  /// Holds the lock while it lives.
  class scope {
   public:
    explicit scope(spin_lock& lock) noexcept : lock_{lock} {
      // acquire pairs with the release below, so that the tables are seen
      while (lock_.is_taken_.exchange(true, base::acquire)) sched_yield();
    }
    ~scope() { lock_.is_taken_.store(false, base::release); }  // release pairs with the acquire above
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;

   private:
    spin_lock& lock_;
  };

  constexpr spin_lock() noexcept = default;
  spin_lock(const spin_lock&) = delete;
  spin_lock& operator=(const spin_lock&) = delete;

  /// For a forked process: its only thread does not hold the lock, and another thread may have held it in the parent.
  void free_in_forked_process() noexcept {
    is_taken_.store(false, base::relaxed);  // relaxed: there is no other thread
  }

 private:
  base::atomic<bool> is_taken_{false};
};

}  // namespace tine::detail
