// A mutex that parties may wait for with a time limit. Any thread may lock it, inside and outside of pools.
#pragma once

#include <tine/detail/sync/locking.hpp>
#include <tine/detail/sync/permits.hpp>

namespace tine {

/// A mutex with the interface of std::timed_mutex. Waiters suspend as at `tine::mutex`, and get the mutex strictly in
/// the order of their arrival: it is handed off directly. Under contention `tine::mutex` is faster.
class timed_mutex {
 public:
  timed_mutex() noexcept = default;  // may be constinit
  timed_mutex(const timed_mutex&) = delete;
  timed_mutex& operator=(const timed_mutex&) = delete;

 private:
  struct exclusive {
    static constexpr bool reads = false;
    static constexpr detail::lock_kind kind = detail::lock_kind::lock;
    timed_mutex& of;
    bool acquire_now() const noexcept { return of.free_.take_now(); }
    void acquire() const noexcept {
      if (!of.free_.take_now()) of.free_.take_slowly(kind);
    }
    bool enqueue(detail::lock_waiter& w) const noexcept { return !of.free_.take_or_enqueue(w); }
    void end_wait(bool) const noexcept {}
    const void* object() const noexcept { return &of; }
  };

 public:
  /// Locks the mutex at the end of the full expression, or when a task awaits the result. Don't keep the result.
  /// Thread-safe.
  detail::locking<exclusive> lock() noexcept { return detail::locking<exclusive>{exclusive{*this}}; }
  /// Locks the mutex if it is free, and returns true if it did. Never waits. Thread-safe.
  bool try_lock() noexcept { return noted(free_.take_now(), detail::lock_action::tried); }
  /// Waits for the mutex, but not longer than `at_most`, a std::chrono::duration; returns true if it locked it.
  /// Suspends the fiber, also in a task. Thread-safe.
  template <class Duration>
  bool try_lock_for(const Duration& at_most) {
    return noted(free_.take_now()) || lock_until(detail::moment_after(detail::nanoseconds_of(at_most)));
  }
  /// As `try_lock_for`, until `when`, a std::chrono::time_point.
  template <class TimePoint>
  bool try_lock_until(const TimePoint& when) {
    return noted(free_.take_now()) || detail::wait_until(when, [this](detail::moment m) { return lock_until(m); });
  }
  /// Unlocks the mutex, which the caller's strand, or a strand that it has joined, has locked. Never waits.
  void unlock() noexcept {
    const detail::unlocking noted{this};
    free_.give(1);
  }

 private:
  bool noted(bool has_locked, detail::lock_action how = detail::lock_action::taken) const noexcept {
    if (has_locked) detail::note_lock(this, false, how);
    return has_locked;
  }
  bool lock_until(detail::moment until) noexcept { return noted(free_.take_until(until, detail::lock_kind::lock)); }

  detail::permits free_{{.state{detail::permits::unit}}};
};

}  // namespace tine
