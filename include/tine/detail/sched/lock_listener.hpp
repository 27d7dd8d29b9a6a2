// tine's own locks and waits report here to the lock checker of `tine doctor`, and in instrumented code to the race
// detector. Without a checker, a lock costs a load and a branch more. Any thread may report.
#pragma once

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/macros.hpp>
#include <tine/detail/base/race_branch.hpp>
#include <tine/detail/sched/lock_event.hpp>

namespace tine::detail {

/// The function of the lock checker; null if the process has none.
TINE_API extern constinit base::atomic<lock_listener> registered_lock_listener;

/// Reports to the lock checker. `caller`: an address in the function that uses the lock; null: the return address.
TINE_API TINE_COLD void tell_of_lock(lock_action what, const void* at, bool is_shared, lock_kind kind,
                                     const void* caller) noexcept;

TINE_ALWAYS_INLINE bool are_locks_followed() noexcept {
  return registered_lock_listener.load(base::relaxed) != nullptr;  // relaxed: tell_of_lock reads it again
}
TINE_ALWAYS_INLINE void note_lock_action(lock_action what, const void* at, bool is_shared = false,
                                         lock_kind kind = lock_kind::lock, const void* caller = nullptr) noexcept {
  if (are_locks_followed()) [[unlikely]]
    tell_of_lock(what, at, is_shared, kind, caller);
}

/// Lives while the running strand waits for something that is not taken.
struct followed_wait {
  followed_wait(const void* at, lock_kind kind, const void* caller) noexcept : at_{at}, kind_{kind} {
    note_lock_action(lock_action::waits, at, false, kind, caller);
  }
  followed_wait(const followed_wait&) = delete;
  followed_wait& operator=(const followed_wait&) = delete;
  ~followed_wait() { note_lock_action(lock_action::not_taken, at_, false, kind_); }

 private:
  const void* const at_;
  const lock_kind kind_;
};

/// The running strand has locked a mutex.
TINE_ALWAYS_INLINE void note_lock(const void* lock, bool is_shared, lock_action how = lock_action::taken) noexcept {
#if TINE_RACE
  tine_race_note_lock(lock, is_shared);
#endif
  note_lock_action(how, lock, is_shared);
}

/// Lives while the running strand unlocks a mutex.
struct unlocking {
  TINE_ALWAYS_INLINE explicit unlocking(const void* lock) noexcept {
#if TINE_RACE
    tine_race_note_unlock(lock);
#endif
    note_lock_action(lock_action::released, lock);
  }
  unlocking(const unlocking&) = delete;
  unlocking& operator=(const unlocking&) = delete;
#if TINE_RACE
  ~unlocking() { tine_race_note_unlocked(); }
#endif
};

}  // namespace tine::detail
