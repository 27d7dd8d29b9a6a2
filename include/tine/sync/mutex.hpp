// A mutex that suspends. Any thread may lock it, inside and outside of pools.
#pragma once

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/macros.hpp>
#include <tine/detail/sync/locking.hpp>

#include <cstdint>

namespace tine {

/// A mutex with the interface of std::mutex. A strand that waits for it leaves its worker to other work, so it may be held over forks.
/// A thread outside of every pool blocks, and so does a strand inside `tine::sequential`.
///
///     std::lock_guard guard{m};   // everywhere, also in tasks
///     co_await m.lock();          // in a task: it suspends without its fiber
///
/// The mutex passes to the parties that wait for it in the order of their arrival, and a later one never overtakes them. It may be
/// destroyed as soon as its last holder has unlocked it, even if that call of `unlock` has not returned. A stop request does not
/// end a wait. Must not be locked twice by one strand, nor by a branch that the holder joins before it unlocks.
/// An uncontended lock or unlock is one compare-and-swap.
class mutex {
 public:
  constexpr mutex() noexcept = default;
  mutex(const mutex&) = delete;
  mutex& operator=(const mutex&) = delete;

 private:
  struct exclusive {
    static constexpr bool reads = false;
    mutex& of;
    TINE_ALWAYS_INLINE bool acquire_now() const noexcept { return of.try_lock(); }
    TINE_ALWAYS_INLINE void acquire() const noexcept {
      if (!of.try_lock()) of.lock_slowly();
    }
    bool enqueue(detail::lock_waiter& w) const noexcept { return of.lock_or_enqueue(w); }
  };

 public:
  /// Locks the mutex at the end of the full expression, or when a task awaits the result. The result must not be kept. Thread-safe.
  TINE_ALWAYS_INLINE detail::locking<exclusive> lock() noexcept { return detail::locking<exclusive>{exclusive{*this}}; }

  /// Locks the mutex if it is free; returns true if it did. Never waits. Thread-safe.
  TINE_ALWAYS_INLINE bool try_lock() noexcept {
    word expected = is_free;
    // acquire pairs with the release in unlock, so that the holder sees what the previous holder wrote
    return state_.compare_exchange_strong(expected, is_locked, base::acquire, base::relaxed);
  }

  /// Unlocks the mutex, which the caller's strand or a strand that it has joined has locked, on any thread. Never waits.
  TINE_ALWAYS_INLINE void unlock() noexcept {
    word expected = is_locked;
    // release pairs with the acquire in try_lock and lock_or_enqueue, so that the next holder sees what this one wrote. Relaxed on
    // failure: unlock_slowly reads the word again
    if (queue_ == nullptr && state_.compare_exchange_strong(expected, is_free, base::release, base::relaxed)) return;
    unlock_slowly();
  }

  /// For condition_variable: locks the mutex and returns true, or queues `w`, which is woken when the mutex belongs to it.
  TINE_API bool lock_or_enqueue(detail::lock_waiter& w) noexcept;

 private:
  using word = std::uintptr_t;
  static constexpr word is_free = 0;
  static constexpr word is_locked = 1;  // any other value is the address of the waiter that came last

  TINE_API TINE_COLD void lock_slowly() noexcept;
  TINE_API TINE_COLD void unlock_slowly() noexcept;

  base::atomic<word> state_{is_free};
  detail::lock_waiter* queue_ = nullptr;  // waiters in the order of their arrival; only the holder touches it
};

}  // namespace tine
