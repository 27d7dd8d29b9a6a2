// The slow paths of call_once: the stack of parties that wait for a call, and the end of the call.
#include "sync/strand_waiter.hpp"

#include <tine/detail/base/object_at.hpp>
#include <tine/sync/once_flag.hpp>

namespace tine {

bool once_flag::begin() noexcept {
  for (;;) {
    detail::strand_waiter w;
    // acquire, here and below, pairs with the release in end, so that the caller sees what the last call wrote
    word now = state_.load(base::acquire);
    for (;;) {
      if (now == done) return false;
      if (now == idle) {
        // acquire pairs with the release in end, so that the caller sees what a call that failed wrote
        if (state_.compare_exchange_strong(now, running, base::acquire, base::acquire)) return true;
      } else {
        w.next = now == running ? nullptr : base::from_word<detail::lock_waiter>(now);
        // release pairs with the acquire in end, so that the waiter is seen
        if (state_.compare_exchange_strong(now, base::to_word(static_cast<detail::lock_waiter*>(&w)), base::release,
                                           base::acquire))
          break;
      }
    }
    w.granted.wait();  // the call may have thrown: look again
  }
}

void once_flag::end(word as) noexcept {
  // release pairs with the acquires in call_once and begin; acquire pairs with the release in begin, so that the
  // waiters are seen
  const word before = state_.exchange(as, base::acq_rel);
  // the flag may be gone afterwards
  detail::lock_waiter* w = before == running ? nullptr : base::from_word<detail::lock_waiter>(before);
  while (w != nullptr) {
    detail::lock_waiter* const older = w->next;
    w->wake(*w);
    w = older;
  }
}

detail::once_call::~once_call() { flag_.end(has_succeeded_ ? once_flag::done : once_flag::idle); }

}  // namespace tine
