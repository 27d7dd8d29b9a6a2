// Semaphores whose waiters suspend. Any thread may acquire and release, inside and outside of pools.
#pragma once

#include <tine/detail/sync/locking.hpp>
#include <tine/detail/sync/permits.hpp>

#include <cstddef>

namespace tine {

/// As std::counting_semaphore. A strand that waits leaves its worker to other work; a thread outside of every pool
/// blocks, and so does a strand inside `tine::sequential`. Permits go to the waiters in the order of their arrival. A
/// stop request does not end a wait. You may destroy it as soon as the last wait is over, even if the `release` that
/// ended it has not returned. Acquiring and releasing without waiters is one compare-and-swap.
template <std::ptrdiff_t LeastMaxValue = PTRDIFF_MAX / 4>
class counting_semaphore {
  static_assert(LeastMaxValue >= 0 && LeastMaxValue <= PTRDIFF_MAX / 4);

  struct permit {
    static constexpr bool reads = false;
    static constexpr detail::lock_kind kind = detail::lock_kind::semaphore;
    detail::permits& from;
    bool acquire_now() const noexcept { return from.take_now(); }
    void acquire() const noexcept {
      if (!from.take_now()) from.take_slowly(kind);
    }
    bool enqueue(detail::lock_waiter& w) const noexcept { return !from.take_or_enqueue(w); }
    void end_wait(bool) const noexcept {}
    const void* object() const noexcept { return &from; }
  };

 public:
  /// The most permits that there may be.
  static constexpr std::ptrdiff_t max() noexcept { return LeastMaxValue; }

  /// `desired`: the number of permits at first, from 0 to max().
  constexpr explicit counting_semaphore(std::ptrdiff_t desired) noexcept
      : permits_{{.state{detail::permits::word(desired) * detail::permits::unit}}} {}
  counting_semaphore(const counting_semaphore&) = delete;
  counting_semaphore& operator=(const counting_semaphore&) = delete;

  /// Takes a permit: at the end of the full expression, or when a task awaits the result. Don't keep the result.
  detail::locking<permit> acquire() noexcept { return detail::locking<permit>{permit{permits_}}; }
  /// Takes a permit if there is one, and returns true if it did. Never waits. May return false while another party
  /// comes or goes.
  bool try_acquire() noexcept { return permits_.take_now(); }
  /// Waits for a permit, but not longer than `at_most`, a std::chrono::duration; returns true if it took one. Suspends
  /// the fiber, also in a task.
  template <class Duration>
  bool try_acquire_for(const Duration& at_most) {
    return try_acquire() || take_until(detail::moment_after(detail::nanoseconds_of(at_most)));
  }
  /// As `try_acquire_for`, until `when`, a std::chrono::time_point.
  template <class TimePoint>
  bool try_acquire_until(const TimePoint& when) {
    return try_acquire() || detail::wait_until(when, [this](detail::moment m) { return take_until(m); });
  }

  /// Gives `n` permits; there must never be more than max(). Never waits.
  void release(std::ptrdiff_t n = 1) noexcept { permits_.give(detail::permits::word(n)); }

 private:
  bool take_until(detail::moment until) noexcept { return permits_.take_until(until, permit::kind); }

  detail::permits permits_;
};

/// A semaphore with at most one permit.
using binary_semaphore = counting_semaphore<1>;

}  // namespace tine
