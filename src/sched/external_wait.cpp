// Waits that are ended by a call from any thread.
#include "sched/external_wait.hpp"

#include "base/futex.hpp"
#include "sched/pool_state.hpp"

#include <tine/detail/sched/instrumentation.hpp>

namespace tine::sched {

external_wait::external_wait() noexcept
    : where_{hot::self() == nullptr || is_kept_sequential() ? nullptr : hot::self()} {}

void external_wait::wait() noexcept {
  if (where_ != nullptr) {
    const attachment followed_by = attachment::detach();
    both_.wait();
    followed_by.attach();
    return;
  }
  // pairs with the stores in end, so that everything before the end is seen
  for (std::uint32_t now = waits; now != unused; now = state_.load(base::acquire)) {
    base::futex_wait(state_, now, now == waits ? 0 : wake_timeout_us);
  }
}

void external_wait::end() noexcept {
  if (where_ != nullptr) {
    both_.arrive();
    return;
  }
  state_.store(ended, base::relaxed);  // relaxed: the thread that waits does not return yet
  base::futex_wake(state_);
  state_.store(unused, base::release);  // pairs with the load in wait
}

bool external_wait::dispatch(join_counter& r) noexcept {
  r.back.is_bound = where_->pool.keeps_threads();
  submit_affine(r.back, *where_);
  return false;
}

}  // namespace tine::sched
