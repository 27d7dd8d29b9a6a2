// The slow paths of the condition variable: its queue, and how notified parties get into the queue of the mutex. Any
// thread may come here.
#include "base/backoff.hpp"
#include "sync/limited_waiter.hpp"

#include <tine/sync/condition_variable.hpp>

namespace tine {

void condition_variable::enqueue(detail::lock_waiter& w) noexcept {
  queue_.lock();
  queue_.push(w);
  queue_.unlock(0);
}

void condition_variable::notify(detail::wait_queue::word at_most) noexcept {
  detail::woken_list notified;
  for (base::backoff pause;; pause.once()) {
    queue_.lock();
    const bool again = queue_.take(at_most, notified);
    queue_.unlock(0);
    if (!again) break;
  }
  for (detail::lock_waiter* next = notified.first(); next != nullptr;) {
    detail::lock_waiter* const after = next->next;
    mutex* const m = next->locks_afterwards;
    if (m == nullptr || m->enqueue_or_wake(*next)) next->wake(*next);
    next = after;
  }
}

bool condition_variable::wait_to(mutex& m, detail::moment until) noexcept {
  detail::note_lock_action(detail::lock_action::waits_for_condition, &m, false, detail::lock_kind::lock,
                           __builtin_return_address(0));
  bool is_notified = false;
  {
    detail::limited_waiter w{queue_, until};
    w.locks_afterwards = &m;
    enqueue(w);
    m.unlock();
    is_notified = w.wait();
  }
  if (is_notified) {
    m.lock_as_first();
  } else if (!m.lock_if_free()) {
    m.lock_slowly();
  }
  detail::note_lock_action(detail::lock_action::woken, &m);
  return is_notified;
}

void detail::waiting::wait() noexcept {
  mutex& m = mutex_;
  note_lock_action(lock_action::waits_for_condition, &m, false, lock_kind::lock, __builtin_return_address(0));
  {
    strand_waiter w;
    unlock_and_enqueue(w);
    w.granted.wait();
  }
  m.lock_as_first();
  note_lock_action(lock_action::woken, &m);
}

/// The party can't be woken before the mutex is unlocked here, because a notified party first queues for the mutex.
void detail::waiting::unlock_and_enqueue(lock_waiter& w) noexcept {
  mutex& m = mutex_;
  w.locks_afterwards = &m;
  at_.enqueue(w);
  m.unlock();
}

}  // namespace tine
