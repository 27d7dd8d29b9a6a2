// The queue of the parties that wait: how a thread locks it, and changes it. Any thread may come here.
#include "base/backoff.hpp"
#include "sync/limited_waiter.hpp"

#include <tine/detail/sync/wait_queue.hpp>

namespace tine::detail {

wait_queue::word wait_queue::lock() noexcept {
  base::backoff pause;
  for (;;) {
    // acquire pairs with the release in unlock, so that we see the queue, and with those by which others changed the
    // object's bits, so that we see what they wrote before
    const word before = state.fetch_or(locked, base::acquire);
    if ((before & locked) == 0) return before & ~bits;
    pause.once();
  }
}

void wait_queue::unlock(word own) noexcept {
  // release pairs with the acquire of the next thread that locks the queue or reads the object's bits
  state.store(own | (first != nullptr ? queued : 0), base::release);
}

void wait_queue::push(lock_waiter& w) noexcept {
  w.next = nullptr;
  w.previous = last;
  (first == nullptr ? first : last->next) = &w;
  last = &w;
}

void wait_queue::remove(lock_waiter& w) noexcept {
  lock_waiter* const before = w.previous;
  lock_waiter* const after = w.next;
  (before == nullptr ? first : before->next) = after;
  (after == nullptr ? last : after->previous) = before;
}

bool wait_queue::take(word& at_most, woken_list& to) noexcept {
  for (; at_most > 0 && first != nullptr; --at_most) {
    lock_waiter& w = *first;
    if (w.may_give_up && !static_cast<limited_waiter&>(w).claim(limited_waiter::got_it)) return true;
    remove(w);
    to.append(w);
  }
  return false;
}

void wait_queue::forget(wait_queue& at, lock_waiter& w) noexcept {
  const word own = at.lock();
  at.remove(w);
  at.unlock(own);
}

}  // namespace tine::detail
