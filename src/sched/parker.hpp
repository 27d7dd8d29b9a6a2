// Where one worker sleeps. The sleeper announces itself, looks once more whether there is work, and only then parks; a
// waker publishes work first and looks for sleepers afterwards. A fence on each side makes one of them see the other.
#pragma once

#include "base/futex.hpp"

#include <tine/base/atomic.hpp>

#include <cstdint>

namespace tine::sched {

class parker {
 public:
  /// The sleeper, before its last look for work. From here on wake() reaches it.
  void announce() noexcept {
    // pairs with the compare-exchange in wake; the fence that orders it before the last look is the caller's
    state_.store(asleep, base::seq_cst);
  }

  /// The sleeper, when the last look found work. Whether it was faster than a waker.
  bool cancel() noexcept {
    std::uint32_t s = asleep;
    // pairs with the compare-exchange in wake: one of the two ends the sleep
    return state_.compare_exchange_strong(s, awake, base::acq_rel, base::acquire);
  }

  /// The sleeper, when the last look found nothing: returns once somebody called wake(), or after `at_most_us`
  /// microseconds (0: no limit). Whether it was woken.
  bool park(std::uint32_t at_most_us) noexcept {
    do {
      base::futex_wait(state_, asleep, at_most_us);
      // pairs with the compare-exchange in wake, so that the sleeper sees what it was woken for
      if (state_.load(base::acquire) != asleep) return true;
    } while (at_most_us == 0);
    return !cancel();
  }

  /// Anybody. Ends an announced sleep. False: there was none to end.
  bool wake() noexcept {
    std::uint32_t s = asleep;
    // pairs with announce, park and cancel
    if (!state_.compare_exchange_strong(s, awake, base::acq_rel, base::relaxed)) return false;
    base::futex_wake(state_);
    return true;
  }

  /// A glance.
  bool is_asleep() const noexcept { return state_.load(base::relaxed) == asleep; }

 private:
  static constexpr std::uint32_t awake = 0;
  static constexpr std::uint32_t asleep = 1;
  base::atomic<std::uint32_t> state_{awake};
};

}  // namespace tine::sched
