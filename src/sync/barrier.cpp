// The phases of barriers. Any thread may come here.
#include "base/backoff.hpp"
#include "sync/strand_waiter.hpp"

#include <tine/detail/base/assert.hpp>
#include <tine/sync/barrier.hpp>

namespace tine::detail {

phases::arrival phases::arrive(word n) noexcept {
  word now = queue.state.load(base::relaxed);  // relaxed: the compare-and-swap checks it
  for (base::backoff pause;;) {
    const word missing = now / unit & most;
    if ((now & wait_queue::locked) != 0) {
      pause.once();
      now = queue.state.load(base::relaxed);  // relaxed: as above
    } else if (missing < n) {
      base::fatal(
          "tine::barrier: more parties arrive in a phase than the barrier expects. A party that arrives in each phase must wait before it arrives again.");
      // acq_rel pairs with itself, so that the party that arrives last sees what all others wrote
    } else if (queue.state.compare_exchange_strong(now, now - n * unit, base::acq_rel, base::relaxed)) {
      return {now >> phase_shift, missing == n};
    }
  }
}

/// No party arrives until the next phase begins, but parties may come to wait.
void phases::end_phase() noexcept {
  woken_list woken;
  const word now = queue.lock();
  word all = ~word{0};
  queue.take(all, woken);
  // relaxed: those who dropped out have arrived since
  queue.unlock(((now >> phase_shift) + 1) << phase_shift | expected.load(base::relaxed) * unit);
  woken.wake();
}

bool phases::has_ended_or_enqueue(word phase, lock_waiter& w) noexcept {
  const word now = queue.lock();
  const bool has_ended = now >> phase_shift != phase;
  if (!has_ended) queue.push(w);
  queue.unlock(now);
  return has_ended;
}

void phases::wait_slowly(word phase) noexcept {
  const followed_wait noted{this, lock_kind::barrier, __builtin_return_address(0)};
  strand_waiter w;
  if (!has_ended_or_enqueue(phase, w)) w.granted.wait();
}

}  // namespace tine::detail
