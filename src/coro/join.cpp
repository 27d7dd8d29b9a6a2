// Joins after a steal: the split counter decides without locks which strand continues with the parent.
// src/coro/README.md has the protocol. Each function runs on the strand that owns the frame or gives it up.
#include "base/fp_environment.hpp"
#include "coro/child_ended.hpp"
#include "coro/join_observed.hpp"
#include "coro/queuing.hpp"
#include "sched/worker.hpp"

#include <tine/coro/resumption.hpp>
#include <tine/detail/base/assert.hpp>
#include <tine/detail/base/object_at.hpp>
#include <tine/detail/coro/driver.hpp>
#include <tine/detail/coro/observed_fork.hpp>
#include <tine/detail/coro/segmented_stack.hpp>
#include <tine/detail/sched/scope.hpp>

namespace tine::detail {
namespace {

namespace hot = sched::hot;

/// Marks a frame that continues after its join among continuations.
constexpr std::uintptr_t joined_bit = 4;

/// Called when all children have ended and the frame belongs to this strand again. The strand gets the frame's stack,
/// and the frame looks as if it had never been stolen.
void reunite(frame& f) noexcept {
  const link::word raised = f.up.get() & link::fp_flags;
  base::enter_fp(words_of(f), static_cast<std::uint32_t>(raised >> link::fp_flags_bit));
  f.up.clear(raised);
  segmented_stack::end();
  f.stack->take();
  f.up.clear(link::stolen);
}

/// Called before a strand gives up its part in a frame: the frame gets the floating-point flags that the strand has
/// raised.
void leave_fp_flags(frame& f) noexcept {
  if (const link::word raised = base::fp_flags()) f.up.set(raised << link::fp_flags_bit);
}

/// Called before a stolen frame waits at its join: it keeps the floating-point environment of its code.
void leave_words(frame& f) noexcept {
  f.queued = queuing(nullptr, base::fp_control());
  leave_fp_flags(f);
}

/// Called in the scheduler before a strand gives up its part in a frame, because the frame's scopes may end from then
/// on. Returns the innermost one.
const sched::scope* leave_scopes() noexcept {
  const sched::scope* const inside = sched::current_scope();
  hot::set_fiber_local<sched::scope_word>(0);
  return inside;
}

/// The joining side of the split counter. Returns true if all children have ended; otherwise the frame does not belong
/// to this strand any more.
bool won_join(frame& f) noexcept {
  const std::uint32_t missing = unsplit - f.steals;
  // release pairs with the acquire in child_ended, so that the last child sees the frame suspended; acquire pairs with
  // the releases there, so that this strand sees what all children left
  return f.joins->fetch_sub(missing, base::acq_rel) == missing;
}

/// Keeps the placement policy of a frame alive around a join, because the frame may continue elsewhere and end the
/// region.
class arrival {
 public:
  explicit arrival(sched::placement_policy* at) noexcept : at_{at} {
    if (at_ == nullptr) return;
    at_->pin();
    driver::current().run.set_blocked(true);
  }
  ~arrival() {
    if (at_ != nullptr) at_->unpin();
  }
  arrival(const arrival&) = delete;
  arrival& operator=(const arrival&) = delete;

  void arrived_early() const noexcept {
    if (at_ != nullptr) at_->arrived_early();
  }
  /// Called when the strand stays with its driver after all.
  void unblock() const noexcept {
    if (at_ != nullptr) driver::current().run.set_blocked(false);
  }

 private:
  sched::placement_policy* const at_;
};

/// Called when all children of the frame have ended and the frame belongs to this strand. Returns true if the frame
/// continues here. Returns false if the placement policy assigns the frame to another worker; then the frame was, or
/// will be, submitted.
bool may_resume_here(frame& f) noexcept {
  sched::join_counter* const r = join_counter_of(f);
  if (r == nullptr) return true;
  r->back.what = sched::of_running_root(sched::queued(base::from_word<void>(base::to_word(&f) | joined_bit)));
  // the region may end as soon as the frame is submitted
  sched::placement_policy& by = r->with;
  by.pin();
  const bool ours = by.dispatch(*r);
  by.unpin();
  return ours;
}

/// The frame's own arrival at its join. Returns true if the frame continues at once; if not, it no longer belongs to
/// this strand.
bool may_continue_after_join(frame& f) noexcept {
  sched::join_counter* const r = join_counter_of(f);
  const arrival here{r != nullptr ? &r->with : nullptr};
  if (!won_join(f)) {
    here.arrived_early();
    return false;
  }
  const bool ours = may_resume_here(f);
  if (ours) here.unblock();
  return ours;
}

}  // namespace

bool reclaimed(frame& parent, sched::address at) noexcept {
  hot::enter_scheduler();
  const bool ours = hot::self()->reclaim(sched::queued(&parent), at);
  // relaxed: own word
  if (ours) hot::words().bot.store(at, base::relaxed);
  hot::leave_scheduler();
  return ours;
}

frame* child_ended(frame& parent) noexcept {
  const arrival here{policy_of_ended()};
  suspend_observed();
  hot::enter_scheduler();
  // before the count: the strand that wins the join takes the stack at once, and its scopes may end
  if (parent.stack == segmented_stack::current()) segmented_stack::leave();
  leave_fp_flags(parent);
  const sched::scope* const inside = leave_scopes();
  // release pairs with the acquires here and in won_join, so that the strand that continues sees what this child left.
  // Acquire pairs with the releases there, so that this strand sees the frame suspended, and what the other children
  // left
  const bool last = parent.joins->fetch_sub(1, base::acq_rel) == 1;
  frame* next = nullptr;
  if (!last) {
    here.arrived_early();
  } else if (sched::completion* waiting = native_join_of(parent)) {
    hot::self()->announce_end(*waiting);
  } else if (may_resume_here(parent)) {
    here.unblock();
    reunite(parent);
    hot::set_fiber_local<sched::scope_word>(base::to_word(inside));
    next = &parent;
  }
  hot::leave_scheduler();
  if (next != nullptr) join_observed(*next, false);
  return next;
}

void leave_to_driver(frame& parent) noexcept {
  driver& below = driver::current();
  below.unwind(child_ended(parent));
}

void wait_for(sched::completion& done) noexcept {
  hot::enter_scheduler();
  const sched::address top = hot::top();
  if (!done.is_finished()) hot::self()->suspend_until(done, top, top);
  hot::leave_scheduler();
}

bool plain::leave_after_fork(frame& parent, sched::address at) noexcept {
  if (fiber_state::is_unwinding()) return true;
  if (reclaimed(parent, at)) {
    first_done_observed(parent, sched::branch_end::reclaimed);
    return false;
  }
  leave_to_driver(parent);
  return true;
}

bool leave_after_observed_fork(frame& parent, sched::address at) noexcept {
  if (fiber_state::is_unwinding()) {
    hot::set_top(at);
    return true;
  }
  if (is_ended_placed()) {
    leave_to_driver(parent);
    return true;
  }
  sched::pop_observed(at, at + sched::continuation_bytes);
  if (!hot::is_promoted(at)) {
    first_done_observed(parent, sched::branch_end::unpromoted);
    return false;
  }
  return plain::leave_after_fork(parent, at);
}

bool plain::leave_at_join(frame& f) noexcept {
  if (!f.up.has(link::stolen)) {
    join_observed(f, true);
    return false;
  }
  end_stolen(f);
  hot::enter_scheduler();
  leave_words(f);
  const sched::scope* const inside = leave_scopes();
  const bool ours = may_continue_after_join(f);
  if (ours) {
    reunite(f);
    hot::set_fiber_local<sched::scope_word>(base::to_word(inside));
  } else {
    driver::current().unwind(nullptr);
  }
  hot::leave_scheduler();
  if (ours) join_observed(f, false);
  return !ours;
}

void join_natively(frame& f) noexcept {
  if (!f.up.has(link::stolen)) return join_observed(f, true);
  end_stolen(f);
  leave_words(f);
  sched::completion done;
  native_join_of(f) = &done;
  sched::join_counter* const r = join_counter_of(f);
  {
    const arrival here{r != nullptr ? &r->with : nullptr};
    here.unblock();
    if (!won_join(f)) {
      here.arrived_early();
      wait_for(done);
    }
  }
  native_join_of(f) = nullptr;
  if (r != nullptr) r->wait_for_placement();
  hot::enter_scheduler();
  reunite(f);
  hot::leave_scheduler();
  join_observed(f, false);
}

void rethrow(frame& f) {
  const std::exception_ptr e = std::move(*f.error);
  f.error.end();
  f.up.clear(link::child_threw);
  std::rethrow_exception(e);
}

void end_by_exception(frame& f, void* slot) noexcept {
  join_natively(f);
  if (f.up.has(link::child_threw)) f.error.end();  // an exception that no join has thrown loses against the frame's own
  const link::word up = f.up.get();
  frame& parent = *link::parent(up);
  if ((up & link::called) != 0) {
    ::new (slot) std::exception_ptr{caught_exception()};
    fiber_state::set<thrown>(slot);
  } else if ((parent.up.set(link::child_threw) & link::child_threw) == 0) {  // the first one is kept
    parent.error.begin(caught_exception());
  }
}

void end_unstarted() noexcept {
  base::fatal(
      "a function that was to start a task threw an exception instead, which is lost: it is no coroutine, or copying one of its parameters threw. Make it a coroutine, which may throw: co_return co_await tine::call(f, ...) instead of return f(...).");
}

void start_over(frame& parent, void* awaiter, void (*start)(void*, frame&, sched::site), link::word made_by) noexcept {
  static_cast<void>(parent);
  hot::enter_scheduler();
  driver::current().unwind_and_call({start, awaiter, made_by, base::to_word(__builtin_return_address(0))});
  hot::leave_scheduler();
}

}  // namespace tine::detail

namespace tine::sched {

void resume(std::uintptr_t continuation) noexcept {
  detail::driver here;
  if ((continuation & detail::parked_bit) != 0) {
    const auto& p = *base::from_word<const detail::parked>(continuation - detail::parked_bit);
    enter_scope(p.inside);
    base::enter_fp(p.fp_words, p.fp_flags);
    if (p.stack != nullptr) p.stack->take();
    p.followed_by.attach();
    hot::self()->note(event_kind::returns, base::to_word(p.who));
    here.resume_frame(*p.who);
  } else if ((continuation & detail::joined_bit) != 0) {
    detail::frame& f = *base::from_word<detail::frame>(continuation - detail::joined_bit);
    enter_scope(f.stack->scope());
    detail::reunite(f);
    detail::join_observed(f, false);
    here.resume_frame(f);
  } else {
    detail::frame& f = *base::from_word<detail::frame>(continuation);
    ++f.steals;
    f.up.set(detail::link::stolen);
    base::enter_fp(detail::words_of(f), 0);
    enter_scope(f.stack->scope());
    detail::begin_stolen(f);
    here.resume_frame(f);
  }
  detail::segmented_stack::end();
  enter_scope(nullptr);
}

}  // namespace tine::sched
