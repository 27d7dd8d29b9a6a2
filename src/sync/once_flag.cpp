// The slow paths of call_once: the stack of parties that wait for a call, and the end of the call. Any thread may come
// here.
#include "sync/strand_waiter.hpp"

#include <tine/detail/base/object_at.hpp>
#include <tine/sync/once_flag.hpp>

namespace tine {

bool once_flag::begin() noexcept {
  using enum detail::lock_action;
  constexpr auto kind = detail::lock_kind::call_once;
  detail::note_lock_action(waits, this, false, kind, __builtin_return_address(0));
  const bool must_call = wait_for_call();
  detail::note_lock_action(must_call ? taken : not_taken, this, false, kind);
  return must_call;
}

bool once_flag::wait_for_call() noexcept {
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
        // release pairs with the acquire in end, so that it sees the waiter
        if (state_.compare_exchange_strong(now, base::to_word(static_cast<detail::lock_waiter*>(&w)), base::release,
                                           base::acquire))
          break;
      }
    }
    w.granted.wait();  // the call may have thrown: look again
  }
}

void once_flag::end(word as) noexcept {
  detail::note_lock_action(detail::lock_action::released, this, false, detail::lock_kind::call_once);
  // release pairs with the acquires in call_once and begin; acquire pairs with the release in begin, so that we see the
  // waiters
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
