// A condition variable for tine::mutex. Any thread may wait and notify, inside and outside of pools.
#pragma once

#include <tine/sync/mutex.hpp>

#include <cstdint>

namespace tine {

class condition_variable;

namespace detail {

/// The result of `condition_variable::wait`: it waits by `co_await`, or else in its destructor.
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
    unlock_and_enqueue(waiter_);
  }
  void await_resume() noexcept {
    if (is_suspended_) mutex_.lock_as_first();
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

/// As std::condition_variable, for `std::unique_lock<tine::mutex>`. Parties are notified in the order of their arrival.
/// A notified party queues for the mutex without being resumed before it is the first there. No wait ends without a
/// notification. It may be destroyed once all parties that wait have been notified and no call of a `notify` function
/// runs.
class condition_variable {
 public:
  condition_variable() noexcept = default;  // may be constinit
  condition_variable(const condition_variable&) = delete;
  condition_variable& operator=(const condition_variable&) = delete;

  /// Unlocks `lock`, which must be locked, waits for a notification, and locks it again: at the end of the full
  /// expression, or when a task awaits the result, which must not be kept. `Lock` is a lock with a member `mutex()`, as
  /// std::unique_lock<tine::mutex>.
  template <class Lock>
  detail::waiting wait(Lock& lock) noexcept {
    return detail::waiting{*this, *lock.mutex()};
  }
  /// Waits until `is_met()` is true, which is called with the mutex locked. Suspends the fiber, also in a task.
  template <class Lock, class Predicate>
  void wait(Lock& lock, Predicate is_met) {
    while (!is_met()) wait(lock);
  }

  /// Ends the wait of the party that waits longest. Thread-safe; the caller need not hold the mutex.
  void notify_one() noexcept {
    if (has_waiters()) notify(1);
  }
  /// Ends the waits of all that wait. Thread-safe; the caller need not hold the mutex.
  void notify_all() noexcept {
    if (has_waiters()) notify(~std::uintptr_t{0});
  }

 private:
  friend class detail::waiting;
  using word = std::uint32_t;
  static constexpr word queue_locked = 1;  // a thread changes the queue
  static constexpr word queued = 2;        // parties wait

  // relaxed: a party that this call must notify has unlocked the mutex, and this caller has locked it since
  bool has_waiters() const noexcept { return state_.load(base::relaxed) != 0; }
  void enqueue(detail::lock_waiter& w) noexcept;
  TINE_API TINE_COLD void notify(std::uintptr_t at_most) noexcept;

  base::atomic<word> state_{0};
  detail::lock_guarded<detail::lock_waiter*> first_ =
      nullptr;  // the queue, which belongs to the thread that has set queue_locked
  detail::lock_guarded<detail::lock_waiter*> last_ = nullptr;
};

}  // namespace tine
