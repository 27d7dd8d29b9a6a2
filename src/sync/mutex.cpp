// The slow paths of the mutex: the stack of arriving waiters, the holder's queue, and how the first waiter gets the
// mutex. Any thread may come here.
#include "sync/strand_waiter.hpp"

#include <tine/detail/base/object_at.hpp>
#include <tine/sync/mutex.hpp>

namespace tine {

bool mutex::overtake() noexcept {
  word now = state_.load(base::relaxed);  // relaxed: the compare-and-swap checks it
  while ((now & locked) == 0) {
    // acquire pairs with the release in unlock and unlock_slowly, so that the holder sees what the previous holder
    // wrote
    if (state_.compare_exchange_strong(now, now | locked, base::acquire, base::relaxed)) return true;
  }
  return false;
}

/// Puts the waiter on the stack, above the one that `now` names. Returns false if the word has changed, and reads it
/// again.
bool mutex::push(detail::lock_waiter& w, word& now) noexcept {
  const word below = now & ~bits;
  w.next = below == 0 ? nullptr : base::from_word<detail::lock_waiter>(below);
  // release pairs with the acquire in take_first, so that the holder sees the waiter
  return state_.compare_exchange_strong(now, base::to_word(&w) | (now & bits), base::release, base::relaxed);
}

bool mutex::lock_or_enqueue(detail::lock_waiter& w) noexcept {
  word now = state_.load(base::relaxed);  // relaxed: the compare-and-swap checks it
  for (;;) {
    if ((now & locked) == 0) {
      // acquire pairs with the release in unlock and unlock_slowly, so that the holder sees what the previous holder
      // wrote
      if (state_.compare_exchange_strong(now, now | locked, base::acquire, base::relaxed)) return true;
    } else if (push(w, now)) {
      return false;
    }
  }
}

bool mutex::enqueue_or_wake(detail::lock_waiter& w) noexcept {
  word now = state_.load(base::relaxed);  // relaxed: the compare-and-swap checks it
  for (;;) {
    if (now == 0) {
      // acquire pairs with the release in unlock: the party may write handed_to_ after earlier parties did
      if (state_.compare_exchange_strong(now, waking, base::acquire, base::relaxed)) return true;
    } else if (push(w, now)) {
      return false;
    }
  }
}

bool mutex::lock_or_insist(detail::lock_waiter& w) noexcept {
  word now = state_.load(base::relaxed);  // relaxed: the changes below check it
  for (;;) {
    if ((now & reserved) != 0) {
      // acquire pairs with the release in unlock_slowly, so that this holder sees what the previous one wrote
      state_.fetch_sub(waking | reserved, base::acquire);
      break;
    }
    if ((now & locked) == 0) {
      // acquire pairs with the release in unlock and unlock_slowly, so that this holder sees what the previous one
      // wrote
      if (state_.compare_exchange_strong(now, (now | locked) & ~waking, base::acquire, base::relaxed)) break;
    } else {
      handed_to_ = &w;
      // release pairs with the acquire in unlock_slowly, so that the holder sees handed_to_
      if (state_.compare_exchange_strong(now, (now | reserved) & ~waking, base::release, base::relaxed)) return false;
    }
  }
  overtaken_ = 0;
  return true;
}

void mutex::lock_slowly() noexcept {
  detail::note_lock_action(detail::lock_action::waits, this, false, detail::lock_kind::lock,
                           __builtin_return_address(0));
  {
    detail::strand_waiter w;
    if (lock_or_enqueue(w)) return;
    w.granted.wait();
  }
  lock_as_first();
}

void mutex::lock_as_first() noexcept {
  detail::strand_waiter w;
  if (!lock_or_insist(w)) w.granted.wait();
}

/// A party waits in the queue or on the stack, or is on its way; only the holder takes the last one off.
void mutex::unlock_slowly() noexcept {
  bool is_counted = false;
  // acquire, here and below, pairs with the release in lock_or_insist, so that we see handed_to_
  word now = state_.load(base::acquire);
  for (;;) {
    if ((now & waking) != 0) {
      if (!is_counted) ++overtaken_;
      is_counted = true;
      const word next = overtaken_ == overtakings ? now | reserved : now & ~locked;
      // release pairs with the acquire of the next holder, as in unlock. The mutex may be gone afterwards
      if (state_.compare_exchange_strong(now, next, base::release, base::acquire)) return;
    } else if ((now & reserved) != 0) {
      detail::lock_waiter& next = *handed_to_;
      overtaken_ = 0;
      state_.fetch_sub(reserved, base::relaxed);  // relaxed: the next holder sees what this holder wrote, by the wake
      next.wake(next);
      return;
    } else {
      detail::lock_waiter& first = take_first();
      // release pairs with the acquire of the next holder, as in unlock, so that it sees what this one wrote
      state_.fetch_add(waking - locked, base::release);
      first.wake(first);
      return;
    }
  }
}

/// Takes the longest waiter. No waiter is on its way, so only arriving waiters change the word.
detail::lock_waiter& mutex::take_first() noexcept {
  if (queue_ == nullptr) {
    // acquire pairs with the release in push, so that we see the waiters
    auto* newest = base::from_word<detail::lock_waiter>(state_.exchange(locked, base::acquire) & ~bits);
    while (newest != nullptr) {  // the newest waiter is at the head of the stack
      detail::lock_waiter* const older = newest->next;
      newest->next = queue_;
      queue_ = newest;
      newest = older;
    }
  }
  detail::lock_waiter& first = *queue_;
  queue_ = first.next;
  return first;
}

}  // namespace tine
