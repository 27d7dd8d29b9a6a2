// A mutex for readers and writers whose waiters suspend. Any thread may lock it, inside and outside of pools.
#pragma once

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/macros.hpp>
#include <tine/detail/sync/locking.hpp>
#include <tine/detail/sync/moment.hpp>
#include <tine/detail/sync/wait_queue.hpp>

namespace tine {

/// A mutex with the interface of std::shared_timed_mutex: one writer holds it, or any number of readers. Waiters
/// suspend as at `tine::mutex`, and get the mutex in the order of their arrival. A reader also waits if it finds a
/// writer waiting, and readers that wait next to each other get the mutex together. So a strand that reads must not
/// lock it again, not even as a reader. An uncontended lock or unlock is one compare-and-swap.
class shared_mutex {
 public:
  shared_mutex() noexcept = default;  // may be constinit
  shared_mutex(const shared_mutex&) = delete;
  shared_mutex& operator=(const shared_mutex&) = delete;

 private:
  struct exclusive {
    static constexpr bool reads = false;
    static constexpr detail::lock_kind kind = detail::lock_kind::lock;
    shared_mutex& of;
    TINE_ALWAYS_INLINE bool acquire_now() const noexcept { return of.lock_if_free(); }
    TINE_ALWAYS_INLINE void acquire() const noexcept {
      if (!of.lock_if_free()) of.lock_slowly(false);
    }
    bool enqueue(detail::lock_waiter& w) const noexcept { return !of.lock_or_enqueue(w); }
    void end_wait(bool) const noexcept {}
    TINE_ALWAYS_INLINE const void* object() const noexcept { return &of; }
  };
  struct shared {
    static constexpr bool reads = true;
    static constexpr detail::lock_kind kind = detail::lock_kind::lock;
    shared_mutex& of;
    TINE_ALWAYS_INLINE bool acquire_now() const noexcept { return of.lock_shared_if_free(); }
    TINE_ALWAYS_INLINE void acquire() const noexcept {
      if (!of.lock_shared_if_free()) of.lock_slowly(true);
    }
    bool enqueue(detail::lock_waiter& w) const noexcept { return !of.lock_or_enqueue(w); }
    void end_wait(bool) const noexcept {}
    TINE_ALWAYS_INLINE const void* object() const noexcept { return &of; }
  };

 public:
  /// Locks as a writer, at the end of the full expression or when a task awaits the result. Don't keep the result.
  /// Thread-safe.
  TINE_ALWAYS_INLINE detail::locking<exclusive> lock() noexcept { return detail::locking<exclusive>{exclusive{*this}}; }
  /// Locks as a reader, in the same way.
  TINE_ALWAYS_INLINE detail::locking<shared> lock_shared() noexcept { return detail::locking<shared>{shared{*this}}; }

  /// Locks as a writer if the mutex is free, and returns true if it did. Never waits. Thread-safe.
  TINE_ALWAYS_INLINE bool try_lock() noexcept {
    if (!lock_if_free()) return false;
    detail::note_lock(this, false, detail::lock_action::tried);
    return true;
  }
  /// Locks as a reader if no writer holds the mutex or waits for it, and returns true if it did. Never waits.
  /// Thread-safe.
  TINE_ALWAYS_INLINE bool try_lock_shared() noexcept {
    if (!lock_shared_if_free()) return false;
    detail::note_lock(this, true, detail::lock_action::tried);
    return true;
  }

  /// Waits for the mutex as a writer, but not longer than `at_most`, a std::chrono::duration; returns true if it locked
  /// the mutex. Suspends the fiber, also in a task. Thread-safe.
  template <class Duration>
  bool try_lock_for(const Duration& at_most) {
    return noted(lock_if_free(), false) || lock_until(false, detail::moment_after(detail::nanoseconds_of(at_most)));
  }
  /// As `try_lock_for`, until `when`, a std::chrono::time_point.
  template <class TimePoint>
  bool try_lock_until(const TimePoint& when) {
    return noted(lock_if_free(), false) ||
           detail::wait_until(when, [this](detail::moment m) { return lock_until(false, m); });
  }
  /// As `try_lock_for`, as a reader.
  template <class Duration>
  bool try_lock_shared_for(const Duration& at_most) {
    return noted(lock_shared_if_free(), true) ||
           lock_until(true, detail::moment_after(detail::nanoseconds_of(at_most)));
  }
  /// As `try_lock_shared_for`, until `when`, a std::chrono::time_point.
  template <class TimePoint>
  bool try_lock_shared_until(const TimePoint& when) {
    return noted(lock_shared_if_free(), true) ||
           detail::wait_until(when, [this](detail::moment m) { return lock_until(true, m); });
  }

  /// Unlocks the mutex, which the caller holds as a writer.
  TINE_ALWAYS_INLINE void unlock() noexcept {
    const detail::unlocking reported{this};
    word expected = writer;
    // release pairs with the acquire of the next holder in lock_if_free, lock_shared_if_free and lock_or_enqueue
    if (!queue_.state.compare_exchange_strong(expected, 0, base::release, base::relaxed)) unlock_slowly(writer);
  }
  /// Unlocks the mutex, which the caller holds as a reader.
  TINE_ALWAYS_INLINE void unlock_shared() noexcept {
    const detail::unlocking reported{this};
    word now = reader;
    // release pairs with the acquire of the next writer in lock_if_free and lock_or_enqueue, so that it writes after
    // this one has read
    if (!queue_.state.compare_exchange_strong(now, 0, base::release, base::relaxed)) unlock_slowly(reader);
  }

  /// The caller holds the mutex as a writer, and becomes a reader. No other writer comes in between, and readers that
  /// are the first to wait get the mutex, too. Never waits.
  TINE_ALWAYS_INLINE void unlock_and_lock_shared() noexcept {
    {
      const detail::unlocking reported{this};
      word expected = writer;
      // release pairs with the acquire of other readers in lock_shared_if_free and lock_or_enqueue
      if (!queue_.state.compare_exchange_strong(expected, reader, base::release, base::relaxed)) let_readers_in();
    }
    detail::note_lock(this, true);
  }
  /// The caller holds the mutex as a reader. If no other reader holds it, and no party waits for it, the caller becomes
  /// its writer, and the result is true. Otherwise nothing changes. Never waits.
  TINE_ALWAYS_INLINE bool try_unlock_shared_and_lock() noexcept {
    word expected = reader;
    // acquire pairs with the release of the other readers in unlock_shared and unlock_slowly
    if (!queue_.state.compare_exchange_strong(expected, writer, base::acquire, base::relaxed)) return false;
    {
      const detail::unlocking reported{this};
    }
    detail::note_lock(this, false);
    return true;
  }

 private:
  using word = detail::wait_queue::word;
  static constexpr word writer = detail::wait_queue::unit;
  static constexpr word reader = 2 * writer;  // one reader; the upper bits count them

  TINE_ALWAYS_INLINE bool lock_if_free() noexcept {
    word expected = 0;
    // acquire pairs with the releases of the previous holders in unlock and unlock_shared
    return queue_.state.compare_exchange_strong(expected, writer, base::acquire, base::relaxed);
  }
  TINE_ALWAYS_INLINE bool lock_shared_if_free() noexcept {
    word now = queue_.state.load(base::relaxed);  // relaxed: the compare-and-swap checks it
    while ((now & (writer | detail::wait_queue::bits)) == 0) {
      // acquire pairs with the release of the previous writer in unlock
      if (queue_.state.compare_exchange_strong(now, now + reader, base::acquire, base::relaxed)) return true;
    }
    return false;
  }
  bool lock_until(bool reads, detail::moment until) noexcept { return noted(lock_slowly_until(reads, until), reads); }
  bool noted(bool has_locked, bool reads) const noexcept {
    if (has_locked) detail::note_lock(this, reads);
    return has_locked;
  }
  TINE_API bool lock_or_enqueue(detail::lock_waiter& w) noexcept;
  TINE_API TINE_COLD void lock_slowly(bool reads) noexcept;
  TINE_API TINE_COLD bool lock_slowly_until(bool reads, detail::moment until) noexcept;
  TINE_API TINE_COLD void unlock_slowly(word held) noexcept;
  TINE_API TINE_COLD void let_readers_in() noexcept;
  static void forget(detail::wait_queue& at, detail::lock_waiter& w) noexcept;

  detail::wait_queue queue_;  // while parties wait, the mutex is held
};

}  // namespace tine
