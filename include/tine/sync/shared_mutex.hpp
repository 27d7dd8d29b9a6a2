// A mutex for readers and writers whose waiters suspend. Any thread may lock it, inside and outside of pools.
#pragma once

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/macros.hpp>
#include <tine/detail/sync/locking.hpp>

#include <cstdint>

namespace tine {

/// A mutex with the interface of std::shared_mutex: one writer holds it, or any number of readers. Waiters suspend as
/// at `tine::mutex`, and get the mutex in the order of their arrival. A reader also waits if it finds a writer waiting,
/// and readers that wait next to each other get the mutex together. So a strand that reads must not lock it again, not
/// even as a reader. An uncontended lock or unlock is one compare-and-swap.
class shared_mutex {
 public:
  shared_mutex() noexcept = default;  // may be constinit
  shared_mutex(const shared_mutex&) = delete;
  shared_mutex& operator=(const shared_mutex&) = delete;

 private:
  struct exclusive {
    static constexpr bool reads = false;
    shared_mutex& of;
    TINE_ALWAYS_INLINE bool acquire_now() const noexcept { return of.try_lock(); }
    TINE_ALWAYS_INLINE void acquire() const noexcept {
      if (of.try_lock()) return;
      of.lock_slowly(false);
      detail::note_lock(&of, false);
    }
    bool enqueue(detail::lock_waiter& w) const noexcept { return !of.lock_or_enqueue(w); }
    void end_wait(bool) const noexcept { detail::note_lock(&of, false); }
  };
  struct shared {
    static constexpr bool reads = true;
    shared_mutex& of;
    TINE_ALWAYS_INLINE bool acquire_now() const noexcept { return of.try_lock_shared(); }
    TINE_ALWAYS_INLINE void acquire() const noexcept {
      if (of.try_lock_shared()) return;
      of.lock_slowly(true);
      detail::note_lock(&of, true);
    }
    bool enqueue(detail::lock_waiter& w) const noexcept { return !of.lock_or_enqueue(w); }
    void end_wait(bool) const noexcept { detail::note_lock(&of, true); }
  };

 public:
  /// Locks as a writer, at the end of the full expression or when a task awaits the result. Don't keep the result.
  /// Thread-safe.
  TINE_ALWAYS_INLINE detail::locking<exclusive> lock() noexcept { return detail::locking<exclusive>{exclusive{*this}}; }
  /// Locks as a reader, in the same way.
  TINE_ALWAYS_INLINE detail::locking<shared> lock_shared() noexcept { return detail::locking<shared>{shared{*this}}; }

  /// Locks as a writer if the mutex is free, and returns true if it did. Never waits. Thread-safe.
  TINE_ALWAYS_INLINE bool try_lock() noexcept {
    word expected = 0;
    // acquire pairs with the releases of the previous holders in unlock and unlock_shared
    if (!state_.compare_exchange_strong(expected, writer, base::acquire, base::relaxed)) return false;
    detail::note_lock(this, false);
    return true;
  }
  /// Locks as a reader if no writer holds the mutex or waits for it, and returns true if it did. Never waits.
  /// Thread-safe.
  TINE_ALWAYS_INLINE bool try_lock_shared() noexcept {
    word now = state_.load(base::relaxed);  // relaxed: the compare-and-swap checks it
    while ((now & (writer | queued | queue_locked)) == 0) {
      // acquire pairs with the release of the previous writer in unlock
      if (!state_.compare_exchange_strong(now, now + reader, base::acquire, base::relaxed)) continue;
      detail::note_lock(this, true);
      return true;
    }
    return false;
  }

  /// Unlocks the mutex, which the caller holds as a writer.
  TINE_ALWAYS_INLINE void unlock() noexcept {
    const detail::unlocking reported{this};
    word expected = writer;
    // release pairs with the acquire of the next holder in try_lock, try_lock_shared and lock_or_enqueue
    if (!state_.compare_exchange_strong(expected, 0, base::release, base::relaxed)) unlock_slowly(writer);
  }
  /// Unlocks the mutex, which the caller holds as a reader.
  TINE_ALWAYS_INLINE void unlock_shared() noexcept {
    const detail::unlocking reported{this};
    word now = reader;
    // release pairs with the acquire of the next writer in try_lock and lock_or_enqueue, so that it writes after this
    // one has read
    if (!state_.compare_exchange_strong(now, 0, base::release, base::relaxed)) unlock_slowly(reader);
  }

 private:
  using word = std::uintptr_t;
  static constexpr word writer = 1;
  static constexpr word queued = 2;        // parties wait
  static constexpr word queue_locked = 4;  // a thread changes the queue
  static constexpr word reader = 8;        // one reader; the upper bits count them

  TINE_API bool lock_or_enqueue(detail::lock_waiter& w) noexcept;
  TINE_API TINE_COLD void lock_slowly(bool reads) noexcept;
  TINE_API TINE_COLD void unlock_slowly(word held) noexcept;
  void hand_over() noexcept;

  base::atomic<word> state_{0};
  // the queue, which belongs to the thread that has set queue_locked
  detail::lock_guarded<detail::lock_waiter*> first_ = nullptr;
  detail::lock_guarded<detail::lock_waiter*> last_ = nullptr;
};

}  // namespace tine
