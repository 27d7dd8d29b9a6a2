// The tasks of a group that have not ended, counted in one word. The word also says whether a strand waits for their
// end, and whether tasks were added since the last wait: a *round* goes from the first task to the end of the wait. Any
// thread may use it; one at a time waits.
#pragma once

#include "base/backoff.hpp"

#include <tine/detail/base/atomic.hpp>

#include <cstdint>

namespace tine::detail {

/// `Waiter`: what the last task wakes.
template <class Waiter>
class open_tasks {
 public:
  /// Counts a new task. The first one of a round calls `begin_round()`, and all others return only afterwards.
  template <class F>
  void add(F begin_round) {
    // Acquire pairs with the release of `begun` below, so that we see what begin_round has written. It also pairs with
    // the release in `end`, so that begin_round overwrites nothing that a task of the last round still reads.
    const word before = word_.fetch_add(one, base::acquire);
    if ((before & begun) != 0) [[likely]]
      return;
    if (before == 0) {
      begin_round();
      word_.fetch_or(begun, base::release);  // pairs with the acquires above and below
      return;
    }
    // pairs with the release of `begun`; begin_round takes some instructions
    for (base::backoff turns; (word_.load(base::acquire) & begun) == 0;) turns.once();
  }

  /// Tasks have ended. Returns the strand that the caller must wake, or null; then the group may be gone.
  Waiter* end(std::uint64_t tasks) noexcept {
    word now = word_.load(base::relaxed);  // relaxed: the exchange checks it
    for (;;) {
      const bool wakes = now - tasks * one == (begun | waits);
      const word next = wakes ? begun : now - tasks * one;
      // release pairs with the acquires in `is_empty`, `wait` and `add`, so that they see what the tasks have written;
      // acquire with the release in `wait`, so that we see the waiter
      if (word_.compare_exchange_strong(now, next, base::acq_rel, base::relaxed)) return wakes ? waiter_ : nullptr;
    }
  }

  /// Ends the wait early: the strand looks for tasks again. Returns the strand that the caller must wake, or null. The
  /// caller and those that call `wait` hold a common lock.
  Waiter* interrupt() noexcept {
    word now = word_.load(base::relaxed);  // relaxed: the exchange checks it
    while ((now & waits) != 0) {
      // relaxed: the lock brings the waiter
      if (word_.compare_exchange_strong(now, now & ~waits, base::relaxed, base::relaxed)) return waiter_;
    }
    return nullptr;
  }

  /// The strand waits as `w`, and `end` will return that. Returns false if all tasks have ended.
  bool wait(Waiter& w) noexcept {
    waiter_ = &w;
    // pairs with the release in `end`
    word now = word_.load(base::acquire);
    while (now >= one) {
      // release pairs with the acquire in `end`, so that the last task sees the waiter; acquire as above
      if (word_.compare_exchange_strong(now, now | waits, base::release, base::acquire)) return true;
    }
    return false;
  }

  /// After the wait. Tasks that were added meanwhile stay in the round.
  void end_round() noexcept {
    word last = begun;
    // relaxed: the wait has seen the ends of all tasks, and `add` sees them in the same word
    word_.compare_exchange_strong(last, 0, base::relaxed, base::relaxed);
  }

  /// Returns true if no task is open but `tasks` of the caller's, which have ended and are not yet reported.
  bool is_empty(std::uint64_t tasks = 0) const noexcept {
    return word_.load(base::acquire) < (tasks + 1) * one;  // pairs with the release in `end`
  }
  bool has_waiter() const noexcept { return (word_.load(base::relaxed) & waits) != 0; }  // relaxed: an estimate
  /// Returns true if tasks were added after the last wait.
  bool has_begun() const noexcept { return word_.load(base::relaxed) != 0; }  // relaxed: the caller ends the group

 private:
  using word = std::uint64_t;
  static constexpr word waits = 1;
  static constexpr word begun = 2;
  static constexpr word one = 4;

  base::atomic<word> word_{0};
  Waiter* waiter_ = nullptr;
};

}  // namespace tine::detail
