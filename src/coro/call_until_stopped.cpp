// Stopping tasks: forks in a strand that must stop, and awaited stop regions. Each function runs on the strand of its
// task.
#include "coro/child_ended.hpp"
#include "sched/worker.hpp"

#include <tine/coro/call_until_stopped.hpp>
#include <tine/detail/coro/frame.hpp>
#include <tine/detail/coro/segmented_stack.hpp>

namespace tine::detail {

namespace hot = sched::hot;

fork_poll plain::poll_at_fork(sched::address at) noexcept {
  if (sched::must_stop()) {
    hot::set_top(at);
    if (!hot::is_promoted(at)) return fork_poll::stop;
    hot::set_top(at + sched::continuation_bytes);  // too late: the signal handler has just promoted the record
  }
  // a stop request may come after this check: then the work request stays pending, and the next fork stops
  return sched::plain::poll() == sched::polled::instrumented ? fork_poll::instrumented : fork_poll::proceed;
}

void awaited_region::begin(std::stop_token token) noexcept {
  hot::enter_scheduler();
  promote_pending();
  before_ = segmented_stack::leave();
  hot::leave_scheduler();
  scope_ = {sched::current_scope(), nullptr, &stopping_};
  alert_.emplace();
  callback_.emplace(std::move(token), request{*this});
  sched::enter_scope(&scope_);
}

bool awaited_region::end() noexcept {
  callback_.reset();  // waits for a stop request that is just being delivered
  hot::enter_scheduler();
  segmented_stack::end();
  if (before_ != nullptr) before_->take();
  hot::leave_scheduler();
  sched::enter_scope(scope_.outer);
  alert_.reset();
  return stopping_.load(base::relaxed);  // relaxed: no stop request can arrive any more
}

}  // namespace tine::detail
