// A mutex whose waiters suspend. Any thread may lock it, inside and outside of pools.
#pragma once

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/macros.hpp>
#include <tine/detail/sync/locking.hpp>

#include <cstdint>

namespace tine {

namespace detail {
class waiting;
}

/// A mutex with the interface of std::mutex. A strand that waits for it leaves its worker to other work, so you may
/// hold it over forks. A thread outside of every pool blocks, and so does a strand inside `tine::sequential`.
///
///     std::lock_guard guard{m};   // everywhere, also in tasks
///     co_await m.lock();          // in a task: it suspends without its fiber
///
/// Waiters get the mutex in the order of their arrival, but a party that comes later and does not wait may overtake
/// them. When the mutex becomes free we wake the longest waiter, and until it continues others may lock the mutex, at
/// most `overtakings` times. Then we keep the mutex for that waiter. So no party starves, and running threads need not
/// wait for a thread that wakes up.
///
/// You may destroy it as soon as its last holder has unlocked it, even if that call of `unlock` has not returned. A
/// stop request does not end a wait. It must not be locked twice by one strand, nor by a branch that the holder joins
/// before it unlocks. An uncontended lock or unlock is one compare-and-swap.
class mutex {
 public:
  /// How many times later parties may lock the mutex between the wake of the first waiter and its turn.
  static constexpr unsigned overtakings = detail::most_overtakings;

  mutex() noexcept = default;  // may be constinit
  mutex(const mutex&) = delete;
  mutex& operator=(const mutex&) = delete;

 private:
  struct exclusive {
    static constexpr bool reads = false;
    static constexpr detail::lock_kind kind = detail::lock_kind::lock;
    mutex& of;
    TINE_ALWAYS_INLINE bool acquire_now() const noexcept { return of.lock_if_free(); }
    TINE_ALWAYS_INLINE void acquire() const noexcept {
      if (!of.lock_if_free()) of.lock_slowly();
    }
    bool enqueue(detail::lock_waiter& w) const noexcept { return !of.lock_or_enqueue(w); }
    void end_wait(bool was_queued) const noexcept {
      if (was_queued) of.lock_as_first();
    }
    TINE_ALWAYS_INLINE const void* object() const noexcept { return &of; }
  };

 public:
  /// Locks the mutex at the end of the full expression, or when a task awaits the result. Don't keep the result.
  /// Thread-safe.
  TINE_ALWAYS_INLINE detail::locking<exclusive> lock() noexcept { return detail::locking<exclusive>{exclusive{*this}}; }

  /// Locks the mutex if it is free, and returns true if it did. Never waits. Thread-safe.
  TINE_ALWAYS_INLINE bool try_lock() noexcept {
    if (!lock_if_free()) return false;
    detail::note_lock(this, false, detail::lock_action::tried);
    return true;
  }

  /// Unlocks the mutex. Any thread may call it, but the caller's strand, or a strand that it has joined, must have
  /// locked it. Never waits.
  TINE_ALWAYS_INLINE void unlock() noexcept {
    const detail::unlocking reported{this};
    word expected = locked;
    // release pairs with the acquire in lock_if_free, lock_or_enqueue and lock_or_insist, so that the next holder sees
    // what this one wrote. Relaxed on failure: unlock_slowly reads the word again
    if (queue_ == nullptr && state_.compare_exchange_strong(expected, 0, base::release, base::relaxed)) return;
    unlock_slowly();
  }

 private:
  friend class condition_variable;
  friend class detail::waiting;

  /// The two lowest bits above `locked`, and the address of the newest waiter, which links to the older ones.
  using word = std::uintptr_t;
  static constexpr word locked = 1;
  static constexpr word waking = 2;  ///< the first waiter has been woken and has not come yet
  /// With `waking`: the mutex is locked for the first waiter. Without: the first waiter came while the mutex was
  /// locked; it waits again, as `handed_to_`, and gets the mutex from its holder.
  static constexpr word reserved = 4;
  static constexpr word bits = locked | waking | reserved;

  TINE_ALWAYS_INLINE bool lock_if_free() noexcept {
    word now = 0;
    // acquire pairs with the release in unlock, so that the holder sees what the previous holder wrote
    if (state_.compare_exchange_strong(now, locked, base::acquire, base::relaxed)) return true;
    return (now & locked) == 0 && overtake();
  }
  TINE_API TINE_COLD bool overtake() noexcept;
  TINE_API TINE_COLD void lock_slowly() noexcept;
  TINE_API TINE_COLD void lock_as_first() noexcept;
  TINE_API TINE_COLD void unlock_slowly() noexcept;

  /// Locks the mutex and returns true, or queues `w`, whose party is woken when it is the first and then calls
  /// `lock_or_insist`.
  TINE_API bool lock_or_enqueue(detail::lock_waiter& w) noexcept;
  /// Queues `w` like `lock_or_enqueue`. Returns true if it is already the first, so that the caller must wake it.
  bool enqueue_or_wake(detail::lock_waiter& w) noexcept;
  bool push(detail::lock_waiter& w, word& now) noexcept;
  /// For the party that has been woken: locks the mutex and returns true, or lets `w` wait, which wakes with the mutex
  /// locked.
  bool lock_or_insist(detail::lock_waiter& w) noexcept;
  detail::lock_waiter& take_first() noexcept;

  base::atomic<word> state_{0};
  // waiters in the order of their arrival; only the holder touches it
  detail::lock_guarded<detail::lock_waiter*> queue_ = nullptr;
  detail::lock_guarded<detail::lock_waiter*> handed_to_ = nullptr;  // written by the party that has been woken
  // locks by others since the wake of the first waiter; only the holder touches it
  detail::lock_guarded<unsigned> overtaken_ = 0;
};

}  // namespace tine
