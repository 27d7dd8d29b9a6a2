// Waits that a call from any thread ends. The strand that waits and the thread that ends the wait share one object.
#include "sched/external_wait.hpp"

#include "base/futex.hpp"
#include "sched/group_follower.hpp"
#include "sched/pool_state.hpp"

#include <tine/detail/sched/instrumentation.hpp>
#include <tine/detail/sched/scope.hpp>

namespace tine::sched {
namespace {

/// Calls `event` in all regions of the strand.
void in_regions(const region_strand* s, void (region::*event)() noexcept) noexcept {
  for (; s != nullptr; s = s->outer) (s->in->*event)();
}

}  // namespace

external_wait::external_wait(bool blocks) noexcept
    : where_{blocks || hot::self() == nullptr || must_keep_thread() ? nullptr : hot::self()},
      strand_{where_ != nullptr ? region_strand::current() : nullptr} {}

void external_wait::wait() noexcept {
  if (where_ != nullptr) {
    const attachment followed_by = attachment::detach_to_wait();
    in_regions(strand_, &region::wait_begins);
    both_.wait();
    followed_by.attach();
    in_regions(strand_, &region::wait_ends);
    return;
  }
  if (registered_group_follower == nullptr || hot::self() != nullptr) return block();
  registered_group_follower->block([](void* self) noexcept { static_cast<external_wait*>(self)->block(); }, this);
}

/// Blocks the thread.
void external_wait::block() noexcept {
  // pairs with the stores in end, so that we see everything before the end
  for (std::uint32_t now = waits; now != unused; now = state_.load(base::acquire)) {
    base::futex_wait(state_, now, now == waits ? 0 : wake_timeout_us);
  }
}

bool external_wait::wait_until(std::int64_t moment) noexcept {
  // relaxed: whatever ends the sleep, `wait` loads the state again
  while (state_.load(base::relaxed) == waits) {
    if (!base::futex_wait_until(state_, waits, moment)) return false;
  }
  return true;
}

void external_wait::end() noexcept {
  if (where_ != nullptr) {
    in_regions(strand_, &region::wait_is_over);  // the strand lives: it has not continued yet
    both_.arrive();
    return;
  }
  state_.store(ended, base::relaxed);  // relaxed: the thread that waits doesn't return yet
  base::futex_wake(state_);
  state_.store(unused, base::release);  // pairs with the load in wait
}

bool external_wait::dispatch(join_counter& r) noexcept {
  r.back.is_bound = where_->pool.keeps_threads();
  submit_affine(r.back, *where_);
  return false;
}

}  // namespace tine::sched
