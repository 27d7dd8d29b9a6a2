// Stop regions. Which one a strand is in, its stack knows, because a thief finds that through the frame it has stolen.
#include "sched/worker.hpp"

#include <tine/coro/driver.hpp>
#include <tine/coro/segmented_stack.hpp>
#include <tine/coro/stop.hpp>

namespace tine::detail {
namespace {

stop_region* current() noexcept { return reinterpret_cast<stop_region*>(strand::get<stop_object>()); }

/// The strand's stack is about to be another one: what is pending on it must know where it lives.
segmented_stack* leave_stack() noexcept {
  namespace hot = sched::hot;
  if (segmented_stack::current() == nullptr) return nullptr;
  hot::enter_scheduler();
  hot::self()->promote_even_closed(hot::words());
  segmented_stack* s = segmented_stack::leave();
  hot::leave_scheduler();
  return s;
}

}  // namespace

stop_region::stop_region(std::stop_token token) noexcept
    : token_{std::move(token)}, around_{current()}, before_{leave_stack()}, callback_{token_, raise_alert{alert_}} {
  strand::set<stop_object>(this);
}

stop_region::~stop_region() {
  segmented_stack::end();
  if (before_ != nullptr) before_->take();
  strand::set<stop_object>(around_);
}

bool stop_region::is_stopping() const noexcept {
  return token_.stop_requested() || (around_ != nullptr && around_->is_stopping());
}

rung answer_at_fork(sched::address at) noexcept {
  namespace hot = sched::hot;
  if (const stop_region* region = current(); region != nullptr && region->is_stopping()) {
    hot::set_top(at);
    if (!hot::is_promoted(at)) return rung::stop;
    hot::set_top(at + sched::continuation_bytes);  // too late: the signal handler has just given the record away
  }
  return sched::poll() == sched::polled::watched ? rung::watched : rung::go_on;
}

void throw_stopped() { throw stopped{}; }

}  // namespace tine::detail
