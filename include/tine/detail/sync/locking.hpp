// The result of `lock()`: it locks by `co_await`, or else in its destructor. It belongs to the strand that made it.
#pragma once

#include <tine/detail/sync/lock_waiter.hpp>

namespace tine::detail {

/// `Lock` is a class with these members:
///
///     static constexpr bool reads;      // it locks as a reader
///     static constexpr lock_kind kind;
///     // Locks if it can do so without a wait.
///     bool acquire_now() noexcept
///     // Locks; the strand or the thread waits.
///     void acquire() noexcept
///     // Locks and returns false, or returns true; then the waiter is woken.
///     bool enqueue(lock_waiter&) noexcept
///     // Locks at last, after `enqueue`.
///     void end_wait(bool was_queued) noexcept
///     // The object that the lock checker knows.
///     const void* object() noexcept
template <class Lock>
class [[maybe_unused]] locking {
 public:
  TINE_ALWAYS_INLINE explicit locking(Lock how) noexcept : how_{how} {}
  locking(const locking&) = delete;
  locking& operator=(const locking&) = delete;
  TINE_ALWAYS_INLINE ~locking() {
    if (!is_awaited_) acquire();
  }

  bool await_ready() noexcept {
    is_awaited_ = true;
    if (how_.acquire_now()) {
      note();
      return true;
    }
    if (!must_block()) return false;
    acquire();
    return true;
  }
  template <class Resumption>
  void await_suspend(Resumption r) noexcept {
    waiter_.keep(r, Lock::reads);
    is_suspended_ = is_queued_ = true;
    note_lock_action(lock_action::waits, how_.object(), Lock::reads, Lock::kind);
    if (how_.enqueue(waiter_)) return;  // the task may run elsewhere now, and this object may be gone
    is_queued_ = false;
    r.resume();
  }
  void await_resume() const noexcept {
    if (!is_suspended_) return;
    how_.end_wait(is_queued_);
    if constexpr (Lock::kind != lock_kind::lock)
      note_lock_action(lock_action::not_taken, how_.object(), false, Lock::kind);
    note();
  }

 private:
  TINE_ALWAYS_INLINE void acquire() noexcept {
    how_.acquire();
    note();
  }
  TINE_ALWAYS_INLINE void note() const noexcept {
    if constexpr (Lock::kind == lock_kind::lock) note_lock(how_.object(), Lock::reads);
  }

  Lock how_;
  bool is_awaited_ = false;
  bool is_suspended_ = false;
  bool is_queued_ = false;
  task_waiter waiter_;
};

}  // namespace tine::detail
