// The slow paths of the condition variable: its queue, and how notified parties get into the queue of the mutex. Any
// thread may come here.
#include "sync/strand_waiter.hpp"

#include <tine/sync/condition_variable.hpp>

namespace tine {

namespace {

void lock_queue(base::atomic<std::uint32_t>& state, std::uint32_t bit) noexcept {
  detail::queue_pause pause;
  // acquire pairs with the release by which the queue was unlocked, in enqueue and notify
  while ((state.fetch_or(bit, base::acquire) & bit) != 0) pause.once();
}

}  // namespace

void condition_variable::enqueue(detail::lock_waiter& w) noexcept {
  w.next = nullptr;
  lock_queue(state_, queue_locked);
  (first_ == nullptr ? first_ : last_->next) = &w;
  last_ = &w;
  state_.store(queued, base::release);  // pairs with the acquire in lock_queue
}

void condition_variable::notify(std::uintptr_t at_most) noexcept {
  lock_queue(state_, queue_locked);
  detail::lock_waiter* next = first_;
  detail::lock_waiter* last = nullptr;
  for (; at_most > 0 && first_ != nullptr; --at_most) {
    last = first_;
    first_ = first_->next;
  }
  if (last != nullptr) last->next = nullptr;
  state_.store(first_ != nullptr ? queued : 0, base::release);  // pairs with the acquire in lock_queue
  if (last == nullptr) return;
  while (next != nullptr) {
    detail::lock_waiter* const after = next->next;
    if (next->locks_afterwards->enqueue_or_wake(*next)) next->wake(*next);
    next = after;
  }
}

void detail::waiting::wait() noexcept {
  mutex& m = mutex_;
  {
    strand_waiter w;
    unlock_and_enqueue(w);
    w.granted.wait();
  }
  m.lock_as_first();
}

/// The party can't be woken before the mutex is unlocked here, because a notified party first queues for the mutex.
void detail::waiting::unlock_and_enqueue(lock_waiter& w) noexcept {
  mutex& m = mutex_;
  w.locks_afterwards = &m;
  at_.enqueue(w);
  m.unlock();
}

}  // namespace tine
