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
    timed_mutex& of;
    bool acquire_now() const noexcept { return of.try_lock(); }
    void acquire() const noexcept {
      if (of.try_lock()) return;
      of.free_.take_slowly();
      detail::note_lock(&of, false);
    }
    bool enqueue(detail::lock_waiter& w) const noexcept { return !of.free_.take_or_enqueue(w); }
    void end_wait(bool) const noexcept { detail::note_lock(&of, false); }
  };

 public:
  /// Locks the mutex at the end of the full expression, or when a task awaits the result. Don't keep the result.
  /// Thread-safe.
  detail::locking<exclusive> lock() noexcept { return detail::locking<exclusive>{exclusive{*this}}; }
  /// Locks the mutex if it is free, and returns true if it did. Never waits. Thread-safe.
  bool try_lock() noexcept { return note(free_.take_now()); }
  /// Waits for the mutex, but not longer than `at_most`, a std::chrono::duration; returns true if it locked it.
  /// Suspends the fiber, also in a task. Thread-safe.
  template <class Duration>
  bool try_lock_for(const Duration& at_most) {
    return try_lock() || note(free_.take_until(detail::moment_after(detail::nanoseconds_of(at_most))));
  }
  /// As `try_lock_for`, until `when`, a std::chrono::time_point.
  template <class TimePoint>
  bool try_lock_until(const TimePoint& when) {
    return try_lock() || note(detail::wait_until(when, [this](detail::moment m) { return free_.take_until(m); }));
  }
  /// Unlocks the mutex, which the caller's strand, or a strand that it has joined, has locked. Never waits.
  void unlock() noexcept {
    const detail::unlocking noted{this};
    free_.give(1);
  }

 private:
  bool note(bool has_locked) const noexcept {
    if (has_locked) detail::note_lock(this, false);
    return has_locked;
  }

  detail::permits free_{{.state{detail::permits::unit}}};
};

}  // namespace tine
