// Joins after a steal: the split counter decides without locks which strand continues with the parent. src/coro/README.md has
// the protocol.
#include "coro/joins.hpp"
#include "coro/watch.hpp"
#include "sched/worker.hpp"

#include <tine/base/assert.hpp>
#include <tine/coro/driver.hpp>
#include <tine/coro/segmented_stack.hpp>
#include <tine/coro/suspend.hpp>
#include <tine/sched/scope.hpp>

namespace tine::detail {
namespace {

namespace hot = sched::hot;

/// This bit distinguishes a frame that continues after its join from other continuations.
constexpr std::uintptr_t joined_bit = 4;

/// Called when the frame's children have ended and the frame belongs to this strand again: the strand gets the frame's stack,
/// and the frame looks as if it had never been stolen.
void reunite(frame& f) noexcept {
  segmented_stack::end();
  f.home->take();
  f.up.clear(link::stolen);
}

/// The joining side of the split counter. Returns true if all children have ended; if not, the frame no longer belongs to this
/// strand.
bool won_join(frame& f) noexcept {
  const std::uint32_t missing = unsplit - f.steals;
  // release pairs with the acquire in child_ended, so that the last child sees the frame suspended; acquire pairs with the
  // releases there, so that this strand sees what all children left
  return f.joins->fetch_sub(missing, base::acq_rel) == missing;
}

/// At a join, while the frame may continue elsewhere: keeps the host that directs the frame alive.
class arrival {
 public:
  explicit arrival(sched::host* at) noexcept : at_{at} {
    if (at_ == nullptr) return;
    at_->enter();
    driver::current().run.begin_rest();
  }
  ~arrival() {
    if (at_ != nullptr) at_->leave();
  }
  arrival(const arrival&) = delete;
  arrival& operator=(const arrival&) = delete;

  void await_others() const noexcept {
    if (at_ != nullptr) at_->await_others();
  }
  /// Called when the strand stays with its driver after all.
  void go_on() const noexcept {
    if (at_ != nullptr) driver::current().run.end_rest();
  }

 private:
  sched::host* const at_;
};

/// Called when all children of the frame have ended and the frame belongs to this strand. Returns true if the frame continues
/// here. Returns false if its place is on another worker; then it is on its way there.
bool may_go_on(frame& f) noexcept {
  sched::rendezvous* const r = meeting_of(f);
  if (r == nullptr) return true;
  r->back.what =
      sched::of_running_root(sched::queued(reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(&f) | joined_bit)));
  // the region may end as soon as the frame is on its way
  sched::host& by = r->with;
  by.enter();
  const bool ours = by.pass(*r);
  by.leave();
  return ours;
}

/// The frame's own arrival at its join. Returns true if the frame continues at once; if not, it no longer belongs to this
/// strand.
bool goes_on_after_join(frame& f) noexcept {
  sched::rendezvous* const r = meeting_of(f);
  const arrival here{r != nullptr ? &r->with : nullptr};
  if (!won_join(f)) {
    here.await_others();
    return false;
  }
  const bool ours = may_go_on(f);
  if (ours) here.go_on();
  return ours;
}

}  // namespace

bool took_back(frame& parent, sched::address at) noexcept {
  hot::enter_scheduler();
  const bool ours = hot::self()->take_back(sched::queued(&parent), at);
  // relaxed: own word
  if (ours) hot::words().bot.store(at, base::relaxed);
  hot::leave_scheduler();
  return ours;
}

frame* child_ended(frame& parent) noexcept {
  const arrival here{host_of_ended()};
  leave_watched();
  hot::enter_scheduler();
  // before the count: the strand that wins the join takes the stack at once
  if (parent.home == segmented_stack::current()) segmented_stack::leave();
  // release pairs with the acquires here and in won_join, so that the strand that continues sees what this child left; acquire
  // pairs with the releases there, so that this strand sees the frame suspended and everything that the other children left
  const bool last = parent.joins->fetch_sub(1, base::acq_rel) == 1;
  frame* next = nullptr;
  if (!last) {
    here.await_others();
  } else if (sched::completion* waiting = native_join_of(parent)) {
    hot::self()->announce_end(*waiting);
  } else if (may_go_on(parent)) {
    here.go_on();
    reunite(parent);
    next = &parent;
  }
  hot::leave_scheduler();
  if (next != nullptr) join_watched(*next, false);
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
  if (strand::is_unwinding()) return true;
  if (took_back(parent, at)) {
    turn_watched(parent, sched::branch_end::unstolen);
    return false;
  }
  leave_to_driver(parent);
  return true;
}

bool plain::leave_at_join(frame& f) noexcept {
  if (!f.up.has(link::stolen)) {
    join_watched(f, true);
    return false;
  }
  end_stolen(f);
  hot::enter_scheduler();
  const bool ours = goes_on_after_join(f);
  if (ours) {
    reunite(f);
  } else {
    driver::current().unwind(nullptr);
  }
  hot::leave_scheduler();
  if (ours) join_watched(f, false);
  return !ours;
}

void join_natively(frame& f) noexcept {
  if (!f.up.has(link::stolen)) return join_watched(f, true);
  end_stolen(f);
  sched::completion done;
  native_join_of(f) = &done;
  sched::rendezvous* const r = meeting_of(f);
  {
    const arrival here{r != nullptr ? &r->with : nullptr};
    here.go_on();
    if (!won_join(f)) {
      here.await_others();
      wait_for(done);
    }
  }
  native_join_of(f) = nullptr;
  if (r != nullptr) r->meet_alone();
  hot::enter_scheduler();
  reunite(f);
  hot::leave_scheduler();
  join_watched(f, false);
}

void rethrow(frame& f) {
  const std::exception_ptr e = std::move(*f.error);
  f.error.end();
  f.up.clear(link::child_threw);
  std::rethrow_exception(e);
}

void end_by_exception(frame& f, void* place) noexcept {
  join_natively(f);
  if (f.up.has(link::child_threw)) f.error.end();  // an exception that no join has thrown loses against the frame's own
  const link::word up = f.up.get();
  frame& parent = *link::parent(up);
  if ((up & link::called) != 0) {
    ::new (place) std::exception_ptr{std::current_exception()};
    strand::set<thrown>(place);
  } else if ((parent.up.set(link::child_threw) & link::child_threw) == 0) {  // the first one is kept
    parent.error.begin(std::current_exception());
  }
}

void end_unstarted() noexcept {
  base::fatal(
      "a function that was to start a task threw an exception instead, which is lost: it is no coroutine, or copying "
      "one of its "
      "parameters threw. Make it a coroutine, which may throw: co_return co_await tine::call(f, ...) instead of return "
      "f(...).");
}

void start_over(frame& parent, void* awaiter, void (*start)(void*, frame&), link::word made_by) noexcept {
  static_cast<void>(parent);
  hot::enter_scheduler();
  driver::current().unwind_and_call({start, awaiter, made_by});
  hot::leave_scheduler();
}

}  // namespace tine::detail

namespace tine::sched {

void awaken(std::uintptr_t continuation, address record) noexcept {
  detail::frame& f = *reinterpret_cast<detail::frame*>(continuation);
  f.queued_from = record;
  if (f.up.has(detail::link::stolen)) return;
  f.steals = 0;
  f.joins.begin(detail::unsplit);
  f.home = detail::segmented_stack::current();
  if (!f.up.has(detail::link::watched)) f.native_join = nullptr;
}

bool was_queued_from(std::uintptr_t continuation, address record) noexcept {
  return reinterpret_cast<detail::frame*>(continuation)->queued_from == record;
}

void resume(std::uintptr_t continuation) noexcept {
  detail::driver here;
  if ((continuation & detail::parked_bit) != 0) {
    const auto& p = *reinterpret_cast<const detail::parked*>(continuation - detail::parked_bit);
    enter_scope(p.inside);
    if (p.stack != nullptr) p.stack->take();
    detail::go_on_watching(p.watched_by);
    here.go_on_with(*p.who);
  } else if ((continuation & detail::joined_bit) != 0) {
    detail::frame& f = *reinterpret_cast<detail::frame*>(continuation - detail::joined_bit);
    enter_scope(f.home->scope());
    detail::reunite(f);
    detail::join_watched(f, false);
    here.go_on_with(f);
  } else {
    detail::frame& f = *reinterpret_cast<detail::frame*>(continuation);
    ++f.steals;
    f.up.set(detail::link::stolen);
    enter_scope(f.home->scope());
    detail::begin_stolen(f);
    here.go_on_with(f);
  }
  detail::segmented_stack::end();
  enter_scope(nullptr);
}

}  // namespace tine::sched
