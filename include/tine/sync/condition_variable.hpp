// A condition variable for tine::mutex. Any thread may wait and notify, inside and outside of pools.
#pragma once

#include <tine/detail/sync/moment.hpp>
#include <tine/detail/sync/wait_queue.hpp>
#include <tine/sync/mutex.hpp>

namespace tine {

/// How a wait with a time limit ended, as std::cv_status.
enum class cv_status : unsigned char {
  no_timeout,  ///< by a notification
  timeout,     ///< the time passed
};

class condition_variable;

namespace detail {

/// The result of `condition_variable::wait`. It waits when it is awaited, or else in its destructor.
class [[maybe_unused]] waiting {
 public:
  waiting(condition_variable& at, mutex& m) noexcept : at_{at}, mutex_{m} {}
  waiting(const waiting&) = delete;
  waiting& operator=(const waiting&) = delete;
  ~waiting() {
    if (!is_awaited_) wait();
  }

  bool await_ready() noexcept {
    is_awaited_ = true;
    if (!must_block()) return false;
    wait();
    return true;
  }
  template <class Resumption>
  void await_suspend(Resumption r) noexcept {
    waiter_.keep(r);
    is_suspended_ = true;
    note_lock_action(lock_action::waits_for_condition, &mutex_);
    unlock_and_enqueue(waiter_);
  }
  void await_resume() noexcept {
    if (!is_suspended_) return;
    mutex_.lock_as_first();
    note_lock_action(lock_action::woken, &mutex_);
  }

 private:
  TINE_API void wait() noexcept;
  TINE_API void unlock_and_enqueue(lock_waiter& w) noexcept;

  condition_variable& at_;
  mutex& mutex_;
  bool is_awaited_ = false;
  bool is_suspended_ = false;
  task_waiter waiter_;
};

}  // namespace detail

/// As std::condition_variable, for `std::unique_lock<tine::mutex>`. Waiters are notified in the order of their arrival.
/// A notified one queues for the mutex, and is resumed only when it is the first there. There are no spurious wake-ups.
/// You may destroy it once all waiters have been notified and no call of a `notify` function runs. For other locks, and
/// for waits that a std::stop_token ends, there is `tine::condition_variable_any`.
///
/// `Lock` is a lock with a member `mutex()` that returns a tine::mutex.
class condition_variable {
 public:
  condition_variable() noexcept = default;  // may be constinit
  condition_variable(const condition_variable&) = delete;
  condition_variable& operator=(const condition_variable&) = delete;

  /// Unlocks `lock`, which must be locked, waits for a notification, and locks it again: at the end of the full
  /// expression, or when a task awaits the result. Don't keep the result.
  template <class Lock>
  detail::waiting wait(Lock& lock) noexcept {
    return detail::waiting{*this, *lock.mutex()};
  }
  /// Waits until `is_met()`, called with the mutex locked, returns true. Suspends the fiber, also in a task.
  template <class Lock, class Predicate>
  void wait(Lock& lock, Predicate is_met) {
    while (!is_met()) wait(lock);
  }

  /// Waits like `wait`, but not longer than `at_most`, a std::chrono::duration. If the time passes when a notification
  /// comes, the notification ends this wait or goes to the next waiter: it isn't lost. The forms with a predicate
  /// return what it said last. Suspends the fiber, also in a task.
  template <class Lock, class Duration>
  cv_status wait_for(Lock& lock, const Duration& at_most) {
    return status_of(wait_to(*lock.mutex(), detail::moment_after(detail::nanoseconds_of(at_most))));
  }
  template <class Lock, class Duration, class Predicate>
  bool wait_for(Lock& lock, const Duration& at_most, Predicate is_met) {
    const detail::moment until = detail::moment_after(detail::nanoseconds_of(at_most));
    while (!is_met()) {
      if (!wait_to(*lock.mutex(), until)) return is_met();
    }
    return true;
  }
  /// As `wait_for`, until `when`, a std::chrono::time_point.
  template <class Lock, class TimePoint>
  cv_status wait_until(Lock& lock, const TimePoint& when) {
    return status_of(detail::wait_until(when, [&](detail::moment m) { return wait_to(*lock.mutex(), m); }));
  }
  template <class Lock, class TimePoint, class Predicate>
  bool wait_until(Lock& lock, const TimePoint& when, Predicate is_met) {
    while (!is_met()) {
      if (wait_until(lock, when) == cv_status::timeout) return is_met();
    }
    return true;
  }

  /// Ends the longest wait. Thread-safe; you need not hold the mutex.
  void notify_one() noexcept {
    if (has_waiters()) notify(1);
  }
  /// Ends all waits. Thread-safe; you need not hold the mutex.
  void notify_all() noexcept {
    if (has_waiters()) notify(~detail::wait_queue::word{0});
  }

 private:
  friend class detail::waiting;
  friend class condition_variable_any;

  static cv_status status_of(bool notified) noexcept { return notified ? cv_status::no_timeout : cv_status::timeout; }
  // relaxed: a party that we must notify has unlocked the mutex, and this caller has locked it since
  bool has_waiters() const noexcept { return queue_.state.load(base::relaxed) != 0; }
  void enqueue(detail::lock_waiter& w) noexcept;
  /// Returns true if it was notified until then.
  TINE_API bool wait_to(mutex& m, detail::moment until) noexcept;
  TINE_API TINE_COLD void notify(detail::wait_queue::word at_most) noexcept;

  detail::wait_queue queue_;
};

}  // namespace tine
