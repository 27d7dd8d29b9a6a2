// spin_wait: how a thread passes the time until another thread, which needs only some instructions, is done. Each
// thread has its own.
#pragma once

#include <sched.h>

namespace tbb {
namespace detail {
namespace on_tine {

/// Waits a little longer in each turn, and then gives up the processor in each: the thread that we wait for may need
/// it.
class spin_wait {
 public:
  void once() noexcept {
    if (pauses_ > most_pauses) {
      sched_yield();
      return;
    }
    for (unsigned i = 0; i < pauses_; ++i) pause();
    pauses_ *= 2;
  }

 private:
  static constexpr unsigned most_pauses = 16;

  static void pause() noexcept {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("isb" ::: "memory");
#endif
  }

  unsigned pauses_ = 1;
};

}  // namespace on_tine
}  // namespace detail
}  // namespace tbb
