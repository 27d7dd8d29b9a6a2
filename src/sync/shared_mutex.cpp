// The slow paths of the mutex for readers and writers: its queue, and the handoff. Any thread may come here.
#include "base/backoff.hpp"
#include "sync/limited_waiter.hpp"

#include <tine/sync/shared_mutex.hpp>

namespace tine {

using detail::wait_queue;

namespace {

/// Takes a writer, or readers that wait next to each other, off the queue, and returns their number. Returns 0 if the
/// first party is giving up.
wait_queue::word take_next(wait_queue& from, detail::woken_list& next) noexcept {
  const bool reads = from.first->is_shared;
  wait_queue::word taken = 0;
  while (from.first != nullptr && from.first->is_shared == reads && (reads || taken == 0)) {
    wait_queue::word one = 1;
    if (from.take(one, next)) break;
    ++taken;
  }
  return taken;
}

}  // namespace

bool shared_mutex::lock_or_enqueue(detail::lock_waiter& w) noexcept {
  base::backoff pause;
  for (;;) {
    word now = queue_.state.load(base::relaxed);  // relaxed: the compare-and-swap checks it
    if (now == 0 || (w.is_shared && (now & (writer | wait_queue::bits)) == 0)) {
      // acquire pairs with the release of the previous holders in unlock, unlock_shared and unlock_slowly
      if (queue_.state.compare_exchange_strong(now, now + (w.is_shared ? reader : writer), base::acquire,
                                               base::relaxed))
        return true;
    } else if ((now & wait_queue::locked) != 0) {
      pause.once();
      // acquire pairs with the release by which the queue was unlocked, here, in forget or in unlock_slowly
    } else if (queue_.state.compare_exchange_strong(now, now | wait_queue::bits, base::acquire, base::relaxed)) {
      break;
    }
  }
  queue_.push(w);
  // release pairs with the acquire of the next thread that locks the queue. Readers may have left meanwhile
  queue_.state.fetch_sub(wait_queue::locked, base::release);
  return false;
}

void shared_mutex::lock_slowly(bool reads) noexcept {
  detail::note_lock_action(detail::lock_action::waits, this, reads, detail::lock_kind::lock,
                           __builtin_return_address(0));
  detail::strand_waiter w{reads};
  if (!lock_or_enqueue(w)) w.granted.wait();
}

bool shared_mutex::lock_slowly_until(bool reads, detail::moment until) noexcept {
  detail::note_lock_action(detail::lock_action::waits, this, reads, detail::lock_kind::lock,
                           __builtin_return_address(0));
  detail::limited_waiter w{queue_, until, &forget, reads};
  if (lock_or_enqueue(w) || w.wait()) return true;
  detail::note_lock_action(detail::lock_action::not_taken, this);
  return false;
}

/// `held` is `writer` or `reader`: how the caller holds the mutex. The last holder hands the mutex over; so there is
/// always a holder while parties wait.
void shared_mutex::unlock_slowly(word held) noexcept {
  base::backoff pause;
  for (;;) {
    word now = queue_.state.load(base::relaxed);  // relaxed: the compare-and-swap checks it
    const bool is_last = held == writer || now / reader == 1;
    if (!is_last || (now & wait_queue::bits) == 0) {
      // release pairs with the acquire of the next holder. If this reader is not the last, the last one's acquire of
      // the same word continues the release
      if (queue_.state.compare_exchange_strong(now, now - held, base::release, base::relaxed)) return;
      continue;
    }
    if ((now & wait_queue::locked) != 0) {
      pause.once();
      continue;
    }
    // acquire pairs with the release by which the queue was unlocked, and with those of the readers that left before
    if (!queue_.state.compare_exchange_strong(now, now | wait_queue::locked, base::acquire, base::relaxed)) continue;
    // The caller is the only holder and has locked the queue, so no other thread changes the word until it is unlocked.
    detail::woken_list next;
    const word one = queue_.first->is_shared ? reader : writer;
    const word holders = take_next(queue_, next) * one;
    queue_.unlock(holders != 0 ? holders : held);
    if (holders != 0) {
      // the mutex may be gone when the last one is woken. The new holders see what this one wrote by the wake
      next.wake();
      return;
    }
    pause.once();
  }
}

/// The writer becomes a reader, together with the readers at the front of the queue.
void shared_mutex::let_readers_in() noexcept {
  queue_.lock();
  detail::woken_list next;
  const word joined = queue_.first != nullptr && queue_.first->is_shared ? take_next(queue_, next) : 0;
  queue_.unlock(reader + joined * reader);
  next.wake();
}

/// A writer that gives up lets the readers behind it join those that hold the mutex.
void shared_mutex::forget(wait_queue& at, detail::lock_waiter& w) noexcept {
  base::backoff pause;
  word now = at.state.load(base::relaxed);  // relaxed: the compare-and-swap checks it
  // acquire pairs with the release by which the queue was unlocked
  while ((now & wait_queue::locked) != 0 ||
         !at.state.compare_exchange_strong(now, now | wait_queue::locked, base::acquire, base::relaxed)) {
    pause.once();
    now = at.state.load(base::relaxed);  // relaxed: as above
  }
  at.remove(w);
  detail::woken_list next;
  word joined = 0;
  if ((now & writer) == 0 && at.first != nullptr && at.first->is_shared) joined = take_next(at, next) * reader;
  // Readers may have left meanwhile, but not the last one: it waits for the queue. release pairs with the acquire of
  // the next thread that locks the queue
  at.state.fetch_add(joined - wait_queue::locked - (at.first == nullptr ? wait_queue::queued : 0), base::release);
  next.wake();
}

}  // namespace tine
