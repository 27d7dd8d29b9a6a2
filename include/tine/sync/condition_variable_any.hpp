// A condition variable for all locks, whose waits a std::stop_token may end. Any thread may wait and notify. The door
// tine/stop.hpp has it, and tine/sync.hpp doesn't, because the header of std::stop_token takes long to compile.
#pragma once

#include <tine/sync/condition_variable.hpp>

#include <stop_token>
#include <utility>

namespace tine {
namespace detail {

class limited_waiter;
/// Waits for the end of a wait that `condition_variable_any::wait_to` has begun.
TINE_API void finish_wait(limited_waiter& w) noexcept;
/// Ends the wait, unless it is over. Any thread may call it until `finish_wait` returns.
TINE_API void give_up(limited_waiter& w) noexcept;

/// `run` is called when the party is in the queue: it unlocks the lock, and calls `finish_wait` once.
struct limited_wait {
  void (*run)(limited_wait& self, limited_waiter& w);
};

/// While it waits, the callback of the token is registered.
template <class Lock>
struct stoppable_wait : limited_wait {
  stoppable_wait(Lock& l, const std::stop_token* t) noexcept : limited_wait{&begin}, lock{l}, token{t} {}

  struct stop {
    limited_waiter& w;
    void operator()() const noexcept { give_up(w); }
  };
  static void begin(limited_wait& self, limited_waiter& w) {
    const auto& how = static_cast<stoppable_wait&>(self);
    how.lock.unlock();
    if (how.token == nullptr) return finish_wait(w);
    const std::stop_callback<stop> at_stop{*how.token, stop{w}};
    finish_wait(w);
  }

  Lock& lock;
  const std::stop_token* token;
};

}  // namespace detail

/// As std::condition_variable_any: for every lock with `lock` and `unlock`, e.g. std::unique_lock<tine::timed_mutex> or
/// std::shared_lock<tine::shared_mutex>. Waiters are notified in the order of their arrival, and there are no spurious
/// wake-ups. All waits suspend the fiber, also in a task. You may destroy it once all waiters have been notified and no
/// call of a `notify` function runs.
///
/// The forms with a token also end when a stop is requested, and return what the predicate said last. They end at once
/// if the stop has been requested before. A notification that comes at the same moment is not lost: it ends this wait
/// or goes to the next waiter.
class condition_variable_any {
 public:
  condition_variable_any() noexcept = default;  // may be constinit
  condition_variable_any(const condition_variable_any&) = delete;
  condition_variable_any& operator=(const condition_variable_any&) = delete;

  /// Unlocks `lock`, which must be locked, waits for a notification, and locks it again.
  template <class Lock>
  void wait(Lock& lock) {
    wait_in(lock, nullptr, detail::never);
  }
  /// Waits until `is_met()`, called with the lock locked, returns true.
  template <class Lock, class Predicate>
  void wait(Lock& lock, Predicate is_met) {
    while (!is_met()) wait(lock);
  }
  template <class Lock, class Predicate>
  bool wait(Lock& lock, std::stop_token token, Predicate is_met) {
    return wait_in(lock, token, detail::never, std::move(is_met));
  }

  /// As `wait`, but not longer than `at_most`, a std::chrono::duration. The forms with a predicate return what it said
  /// last.
  template <class Lock, class Duration>
  cv_status wait_for(Lock& lock, const Duration& at_most) {
    return condition_variable::status_of(wait_in(lock, nullptr, detail::moment_after(detail::nanoseconds_of(at_most))));
  }
  template <class Lock, class Duration, class Predicate>
  bool wait_for(Lock& lock, const Duration& at_most, Predicate is_met) {
    return wait_for(lock, std::stop_token{}, at_most, std::move(is_met));
  }
  template <class Lock, class Duration, class Predicate>
  bool wait_for(Lock& lock, std::stop_token token, const Duration& at_most, Predicate is_met) {
    return wait_in(lock, token, detail::moment_after(detail::nanoseconds_of(at_most)), std::move(is_met));
  }
  /// As `wait_for`, until `when`, a std::chrono::time_point.
  template <class Lock, class TimePoint>
  cv_status wait_until(Lock& lock, const TimePoint& when) {
    return condition_variable::status_of(
        detail::wait_until(when, [&](detail::moment m) { return wait_in(lock, nullptr, m); }));
  }
  template <class Lock, class TimePoint, class Predicate>
  bool wait_until(Lock& lock, const TimePoint& when, Predicate is_met) {
    return wait_until(lock, std::stop_token{}, when, std::move(is_met));
  }
  template <class Lock, class TimePoint, class Predicate>
  bool wait_until(Lock& lock, std::stop_token token, const TimePoint& when, Predicate is_met) {
    while (!is_met()) {
      const auto left = when - TimePoint::clock::now();
      if (token.stop_requested() || left <= left.zero()) return is_met();
      wait_in(lock, &token, detail::moment_after(detail::nanoseconds_of(left)));
    }
    return true;
  }

  /// Ends the longest wait. Thread-safe; you need not hold the lock.
  void notify_one() noexcept { all_.notify_one(); }
  /// Ends all waits. Thread-safe; you need not hold the lock.
  void notify_all() noexcept { all_.notify_all(); }

 private:
  /// Returns true if it was notified.
  template <class Lock>
  bool wait_in(Lock& lock, const std::stop_token* token, detail::moment until) {
    detail::stoppable_wait<Lock> how{lock, token};
    const bool is_notified = wait_to(until, how);
    lock.lock();
    return is_notified;
  }
  template <class Lock, class Predicate>
  bool wait_in(Lock& lock, const std::stop_token& token, detail::moment until, Predicate is_met) {
    while (!is_met()) {
      if (token.stop_requested() || !wait_in(lock, &token, until)) return is_met();
    }
    return true;
  }
  TINE_API bool wait_to(detail::moment until, detail::limited_wait& how) noexcept;

  condition_variable all_;
};

}  // namespace tine
