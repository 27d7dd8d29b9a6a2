// A party that waits until a moment, or until it is asked to give up. It lies in the frame of the party; threads that
// grant what it waits for, and threads that make it give up, may touch it until one of them has ended the wait.
#pragma once

#include "sync/alarm.hpp"
#include "sync/strand_waiter.hpp"

#include <tine/detail/sync/lock_waiter.hpp>
#include <tine/detail/sync/wait_queue.hpp>

#include <cstdint>

namespace tine::detail {

/// A wait has one outcome: a thread claims it, and only that thread takes the party off the queue and wakes it. So a
/// party that gives up while it is woken either got what it waited for, or left it to the next party.
///
/// A thread that grants claims in the locked queue. If the party is giving up, it leaves the party there, and tries
/// again. So the object still exists when the party's own thread, or the one that asked, takes the party off.
class limited_waiter : public strand_waiter {
 public:
  using outcome = std::uint32_t;
  static constexpr outcome open = 0, got_it = 1, gave_up = 2;
  using forgetting = void (*)(wait_queue& at, lock_waiter& w) noexcept;

  /// `forget` takes the party off the queue when it gives up.
  explicit limited_waiter(wait_queue& at, moment until, forgetting forget = &wait_queue::forget,
                          bool reads = false) noexcept
      : strand_waiter{reads, until != never && !must_block() && !alarm::can_ring()},
        at_{at},
        forget_{forget},
        until_{until} {
    may_give_up = true;
  }

  /// Waits in the queue where the party is. Returns true if it was granted what it waits for, false if it gave up.
  bool wait() noexcept {
    if (granted.blocks()) {
      if (!granted.wait_until(until_)) give_up();
      granted.wait();
    } else {
      const alarm at_end{*this, until_};
      granted.wait();
    }
    return is_granted();
  }
  // relaxed, here and in claim: what is passed on goes by the queue and by the wake
  bool is_granted() const noexcept { return outcome_.load(base::relaxed) == got_it; }

  /// Gives up, unless the outcome is clear. Any thread may call it once the party is in the queue; `wait` returns, and
  /// the waiter is gone, only after all such calls have returned.
  void give_up() noexcept {
    if (!claim(gave_up)) return;
    forget_(at_, *this);
    granted.end();
  }
  bool claim(outcome as) noexcept {
    outcome expected = open;
    return outcome_.compare_exchange_strong(expected, as, base::relaxed, base::relaxed);
  }

 private:
  wait_queue& at_;
  const forgetting forget_;
  const moment until_;
  base::atomic<outcome> outcome_{open};
};

}  // namespace tine::detail
