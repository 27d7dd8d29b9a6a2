// A parker: the object in which one worker sleeps; any thread may wake it. The sleeper announces itself, makes its
// pre-sleep check for work, and only then parks. A waker publishes work first, and looks for sleepers afterwards. A
// fence on each side makes one of them see the other.
#pragma once

#include "base/futex.hpp"

#include <tine/detail/base/atomic.hpp>

#include <cstdint>

namespace tine::sched {

struct debugger_layout;

class parker {
 public:
  /// The sleeper calls it before its pre-sleep check. From here on call() reaches the sleeper.
  void announce() noexcept {
    // pairs with the compare-exchange in call; the fence that orders it before the pre-sleep check is the caller's
    state_.store(asleep, base::seq_cst);
  }

  /// The sleeper calls it when the pre-sleep check found work. Returns true if the sleeper was faster than a waker.
  bool cancel() noexcept {
    std::uint32_t s = asleep;
    // relaxed: one change of one word ends the sleep, this or the one in call, and we pass nothing else on here
    if (state_.compare_exchange_strong(s, awake, base::relaxed, base::relaxed)) return true;
    wait_while(called);
    return false;
  }

  /// The sleeper calls it when the pre-sleep check found nothing. Returns true once a waker has called and released the
  /// sleeper, or false after `at_most_us` microseconds (0: no limit).
  bool park(std::uint32_t at_most_us) noexcept {
    if (at_most_us == 0) {
      wait_while(asleep);
    } else {
      base::futex_wait(state_, asleep, at_most_us);
      if (cancel()) return false;
    }
    wait_while(called);
    return true;
  }

  /// Any thread. Ends an announced sleep. Returns false if there was none to end. A waker that has ended a sleep must
  /// release the sleeper; before the release it does whatever the sleeper must not overtake.
  bool call() noexcept {
    std::uint32_t s = asleep;
    // relaxed: as in cancel; what the sleeper must see, release publishes
    return state_.compare_exchange_strong(s, called, base::relaxed, base::relaxed);
  }
  void release() noexcept {
    // pairs with the load in wait_while, so that the sleeper sees the work that it was woken for, and everything that
    // the waker counted
    state_.store(awake, base::release);
    base::futex_wake(state_);
  }

  /// Any thread. Returns false if there was no sleep to end.
  bool wake() noexcept {
    if (!call()) return false;
    release();
    return true;
  }

  /// An estimate, from any thread.
  bool is_asleep() const noexcept { return state_.load(base::relaxed) == asleep; }

 private:
  friend struct debugger_layout;
  static constexpr std::uint32_t awake = 0;
  static constexpr std::uint32_t asleep = 1;
  static constexpr std::uint32_t called = 2;  ///< the sleep is over, but the sleeper is not yet released

  void wait_while(std::uint32_t s) noexcept {
    // pairs with the store in release
    while (state_.load(base::acquire) == s) base::futex_wait(state_, s, 0);
  }

  base::atomic<std::uint32_t> state_{awake};
};

}  // namespace tine::sched
