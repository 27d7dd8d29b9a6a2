// The wait of a strand or a thread at a lock; and a pause for threads that find a queue locked.
#pragma once

#include "sched/external_wait.hpp"

#include <tine/detail/sync/lock_waiter.hpp>

#include <sched.h>

namespace tine::detail {

/// A strand that waits suspends; a thread outside of every pool blocks.
struct strand_waiter : lock_waiter {
  explicit strand_waiter(bool reads = false) noexcept
      : lock_waiter{nullptr, [](lock_waiter& w) noexcept { static_cast<strand_waiter&>(w).granted.end(); }, reads,
                    nullptr} {}

  sched::external_wait granted;
};

/// A thread that waits for another one to release a queue, which takes a few instructions unless that thread loses its
/// processor.
class queue_pause {
 public:
  void once() noexcept {
    if (++tries_ < spins) {
      base::pause();
    } else {
      sched_yield();
    }
  }

 private:
  static constexpr int spins = 64;
  int tries_ = 0;
};

}  // namespace tine::detail
