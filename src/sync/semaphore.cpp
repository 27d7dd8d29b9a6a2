// The slow paths of permits, for semaphores and the timed mutex. Any thread may come here.
#include "base/backoff.hpp"
#include "sync/limited_waiter.hpp"

#include <tine/detail/sync/permits.hpp>

namespace tine::detail {

bool permits::take_or_enqueue(lock_waiter& w) noexcept {
  const word now = queue.lock();
  const bool takes = now >= unit;
  if (!takes) queue.push(w);
  queue.unlock(takes ? now - unit : now);
  return takes;
}

void permits::take_slowly(lock_kind of) noexcept {
  note_lock_action(lock_action::waits, this, false, of, __builtin_return_address(0));
  {
    strand_waiter w;
    if (!take_or_enqueue(w)) w.granted.wait();
  }
  if (of != lock_kind::lock) note_lock_action(lock_action::not_taken, this, false, of);
}

bool permits::take_until(moment until, lock_kind of) noexcept {
  note_lock_action(lock_action::waits, this, false, of, __builtin_return_address(0));
  bool has_taken = false;
  {
    limited_waiter w{queue, until};
    has_taken = take_or_enqueue(w) || w.wait();
  }
  if (!has_taken || of != lock_kind::lock) note_lock_action(lock_action::not_taken, this, false, of);
  return has_taken;
}

/// Permits are left over only if no party waits.
void permits::give_slowly(word n) noexcept {
  woken_list woken;
  for (base::backoff pause;; pause.once()) {
    const word now = queue.lock();
    const bool again = queue.take(n, woken);
    queue.unlock(again ? now : now + n * unit);
    if (!again) break;
  }
  woken.wake();
}

}  // namespace tine::detail
