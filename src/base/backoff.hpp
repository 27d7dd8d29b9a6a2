// A wait for another thread that has only a few instructions to do: a loop that spins, and yields when it takes long.
// Each waiting thread has a `backoff` of its own.
#pragma once

#include <tine/detail/base/atomic.hpp>

#include <sched.h>

namespace tine::base {

/// The other thread may have lost its processor, perhaps to the one that waits. To spin on would then cost a time
/// slice.
class backoff {
 public:
  /// One turn of the loop.
  void once() noexcept {
    if (++turns_ < spins) {
      pause();
    } else {
      sched_yield();
    }
  }

 private:
  static constexpr int spins = 64;
  int turns_ = 0;
};

}  // namespace tine::base
