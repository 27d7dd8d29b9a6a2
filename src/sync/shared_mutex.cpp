// The slow paths of the mutex for readers and writers: its queue, and the hand-over.
#include "sync/strand_waiter.hpp"

#include <tine/sync/shared_mutex.hpp>

namespace tine {

bool shared_mutex::lock_or_enqueue(detail::lock_waiter& w) noexcept {
  detail::queue_pause pause;
  for (;;) {
    word now = state_.load(base::relaxed);  // relaxed: the compare-and-swap checks it
    if (now == 0 || (w.is_shared && (now & (writer | queued | queue_locked)) == 0)) {
      // acquire pairs with the release of the previous holders in unlock, unlock_shared and unlock_slowly
      if (state_.compare_exchange_strong(now, now + (w.is_shared ? reader : writer), base::acquire, base::relaxed))
        return true;
    } else if ((now & queue_locked) != 0) {
      pause.once();
      // acquire pairs with the release by which the queue was unlocked, here or in hand_over
    } else if (state_.compare_exchange_strong(now, now | queued | queue_locked, base::acquire, base::relaxed)) {
      break;
    }
  }
  w.next = nullptr;
  (first_ == nullptr ? first_ : last_->next) = &w;
  last_ = &w;
  // release pairs with the acquire of the next thread that locks the queue. Readers may have left meanwhile
  state_.fetch_sub(queue_locked, base::release);
  return false;
}

void shared_mutex::lock_slowly(bool reads) noexcept {
  detail::strand_waiter w{reads};
  if (!lock_or_enqueue(w)) w.granted.wait();
}

/// `held` is `writer` or `reader`, as the caller holds the mutex.
void shared_mutex::unlock_slowly(word held) noexcept {
  detail::queue_pause pause;
  for (;;) {
    word now = state_.load(base::relaxed);  // relaxed: the compare-and-swap checks it
    const bool is_last = held == writer || now / reader == 1;
    if (!is_last || (now & (queued | queue_locked)) == 0) {
      // release pairs with the acquire of the next holder. If this reader is not the last, the last one's acquire in
      // the same word continues the release
      if (state_.compare_exchange_strong(now, now - held, base::release, base::relaxed)) return;
    } else if ((now & queue_locked) != 0) {
      pause.once();
      // acquire pairs with the release by which the queue was unlocked, and with those of the readers that left before
    } else if (state_.compare_exchange_strong(now, now | queue_locked, base::acquire, base::relaxed)) {
      break;
    }
  }
  hand_over();
}

/// The caller is the only holder and has locked the queue, which is not empty: no other thread changes the word until
/// the store.
void shared_mutex::hand_over() noexcept {
  detail::lock_waiter* next = first_;
  detail::lock_waiter* end = next->next;
  word holders = writer;
  if (next->is_shared) {
    for (holders = reader; end != nullptr && end->is_shared; end = end->next) holders += reader;
  }
  first_ = end;
  // release pairs with the acquire of the next thread that locks the queue, and of a reader that joins the new holders
  state_.store(holders | (end != nullptr ? queued : 0), base::release);
  // the mutex may be gone when the last one is woken. The new holders see what this one wrote, by the wake
  for (; next != end;) {
    detail::lock_waiter* const after = next->next;
    next->wake(*next);
    next = after;
  }
}

}  // namespace tine
