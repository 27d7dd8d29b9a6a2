// How a strand or a thread waits at a lock. A waiter belongs to the party that waits.
#pragma once

#include "sched/external_wait.hpp"

#include <tine/detail/sync/lock_waiter.hpp>

namespace tine::detail {

/// A strand that waits is suspended; a thread outside of every pool blocks.
struct strand_waiter : lock_waiter {
  /// `blocks`: the strand blocks its thread, too.
  explicit strand_waiter(bool reads = false, bool blocks = false) noexcept
      : lock_waiter{nullptr, [](lock_waiter& w) noexcept { static_cast<strand_waiter&>(w).granted.end(); },
                    reads,   false,
                    nullptr, nullptr},
        granted{blocks} {}

  sched::external_wait granted;
};

}  // namespace tine::detail
