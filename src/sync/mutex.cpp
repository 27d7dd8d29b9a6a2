// The slow paths of the mutex: the stack of waiters that arrive, the queue of the holder, and the hand-over.
#include "sync/strand_waiter.hpp"

#include <tine/detail/base/object_at.hpp>
#include <tine/detail/sched/observer.hpp>
#include <tine/sync/mutex.hpp>

namespace tine {

namespace detail {

bool must_block() noexcept { return sched::hot::self() == nullptr || sched::is_kept_sequential(); }

}  // namespace detail

bool mutex::lock_or_enqueue(detail::lock_waiter& w) noexcept {
  word now = state_.load(base::relaxed);  // relaxed: the compare-and-swap checks it
  for (;;) {
    if (now == is_free) {
      // acquire pairs with the release in unlock, so that the holder sees what the previous holder wrote
      if (state_.compare_exchange_strong(now, is_locked, base::acquire, base::relaxed)) return true;
    } else {
      w.next = now == is_locked ? nullptr : base::from_word<detail::lock_waiter>(now);
      // release pairs with the acquire in unlock_slowly, so that the holder sees the waiter
      if (state_.compare_exchange_strong(now, base::to_word(&w), base::release, base::relaxed)) return false;
    }
  }
}

void mutex::lock_slowly() noexcept {
  detail::strand_waiter w;
  if (!lock_or_enqueue(w)) w.granted.wait();
}

void mutex::unlock_slowly() noexcept {
  detail::lock_waiter* next = queue_;
  if (next == nullptr) {
    // acquire pairs with the release in lock_or_enqueue, so that the waiters are seen
    detail::lock_waiter* newest = base::from_word<detail::lock_waiter>(state_.exchange(is_locked, base::acquire));
    while (newest != nullptr) {  // the newest waiter is at the head of the stack
      detail::lock_waiter* const older = newest->next;
      newest->next = next;
      next = newest;
      newest = older;
    }
  }
  queue_ = next->next;
  next->wake(*next);  // the mutex may be gone afterwards. The next holder sees what this one wrote, by the wake
}

}  // namespace tine
