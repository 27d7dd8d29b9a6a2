// A latch whose waiters suspend. Any thread may count down and wait, inside and outside of pools.
#pragma once

#include <tine/detail/sync/locking.hpp>
#include <tine/detail/sync/wait_queue.hpp>

#include <concepts>
#include <cstddef>

namespace tine {

/// As std::latch. A strand that waits leaves its worker to other work, so branches of `tine::par` and forked tasks may
/// wait for each other, on any number of workers; iterations of one loop must not. You may destroy it as soon as every
/// `wait` has returned, even if a `count_down` has not.
class latch {
  using word = detail::wait_queue::word;
  static constexpr word unit = detail::wait_queue::unit;

  struct opening {
    static constexpr bool reads = false;
    static constexpr detail::lock_kind kind = detail::lock_kind::latch;
    latch& of;
    bool acquire_now() const noexcept { return of.try_wait(); }
    void acquire() const noexcept {
      if (!of.try_wait()) of.wait_slowly();
    }
    bool enqueue(detail::lock_waiter& w) const noexcept { return !of.is_open_or_enqueue(w); }
    void end_wait(bool) const noexcept {}
    const void* object() const noexcept { return &of; }
  };

 public:
  /// The most that a latch can count.
  static constexpr std::ptrdiff_t max() noexcept { return PTRDIFF_MAX / 4; }

  /// `expected`: how many times it is counted down, from 0 to max().
  template <std::integral N>
  constexpr explicit latch(N expected) noexcept : queue_{.state{word(expected) * unit}} {}
  latch(const latch&) = delete;
  latch& operator=(const latch&) = delete;

  /// Counts down by `n`. Never waits. Ends the program if `n` is more than what is left. Thread-safe.
  void count_down(std::ptrdiff_t n = 1) noexcept {
    word now = queue_.state.load(base::relaxed);  // relaxed: the compare-and-swap checks it
    const word by = word(n) * unit;
    while ((now & detail::wait_queue::locked) == 0 && now >= by + unit) {
      // release pairs with the acquire in try_wait and in lock of the queue, so that a party that waits sees what this
      // one wrote
      if (queue_.state.compare_exchange_strong(now, now - by, base::release, base::relaxed)) return;
    }
    count_down_slowly(word(n));
  }
  /// Returns true if it has been counted down to 0.
  bool try_wait() const noexcept {
    // acquire pairs with the releases in count_down and in unlock of the queue
    return queue_.state.load(base::acquire) < unit;
  }
  /// Waits until it has been counted down to 0: at the end of the full expression, or when a task awaits the result.
  /// Don't keep the result. Thread-safe.
  detail::locking<opening> wait() noexcept { return detail::locking<opening>{opening{*this}}; }
  /// Counts down, and waits.
  detail::locking<opening> arrive_and_wait(std::ptrdiff_t n = 1) noexcept {
    count_down(n);
    return wait();
  }

 private:
  TINE_API TINE_COLD void count_down_slowly(word n) noexcept;
  TINE_API bool is_open_or_enqueue(detail::lock_waiter& w) noexcept;
  TINE_API TINE_COLD void wait_slowly() noexcept;

  detail::wait_queue queue_;  // the word counts what is left
};

}  // namespace tine
