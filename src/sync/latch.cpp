// The slow paths of the latch. Any thread may come here.
#include "sync/strand_waiter.hpp"

#include <tine/detail/base/assert.hpp>
#include <tine/sync/latch.hpp>

namespace tine {

void latch::count_down_slowly(word n) noexcept {
  detail::woken_list woken;
  const word now = queue_.lock();
  if (now < n * unit) {
    base::fatal(
        "tine::latch::count_down: counts down by more than what is left. The number that the latch is made with must be the sum of all calls.");
  }
  word all = now == n * unit ? ~word{0} : 0;
  queue_.take(all, woken);
  queue_.unlock(now - n * unit);
  woken.wake();
}

bool latch::is_open_or_enqueue(detail::lock_waiter& w) noexcept {
  const word now = queue_.lock();
  if (now != 0) queue_.push(w);
  queue_.unlock(now);
  return now == 0;
}

void latch::wait_slowly() noexcept {
  const detail::followed_wait noted{this, detail::lock_kind::latch, __builtin_return_address(0)};
  detail::strand_waiter w;
  if (!is_open_or_enqueue(w)) w.granted.wait();
}

}  // namespace tine
