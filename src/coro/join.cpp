// Joins after a steal: the split counter decides without locks who goes on with the parent. src/coro/README.md has the
// protocol.
#include "coro/joins.hpp"
#include "coro/watch.hpp"
#include "sched/worker.hpp"

#include <tine/base/assert.hpp>
#include <tine/coro/driver.hpp>
#include <tine/coro/segmented_stack.hpp>
#include <tine/coro/suspend.hpp>

namespace tine::detail {
namespace {

namespace hot = sched::hot;

/// The frame's children have ended and it is ours again: with its stack, and as if nothing had been stolen.
void reunite(frame& f) noexcept {
  segmented_stack::end();
  f.home->take();
  f.up.clear(link::stolen);
}

/// The joining side of the split counter. Whether all children have ended; if not, the frame is no longer ours.
bool won_join(frame& f) noexcept {
  const std::uint32_t missing = unsplit - f.steals;
  // release pairs with the acquire in child_ended, so that the last child sees the frame suspended; acquire pairs with
  // the releases there, so that we see what all children left
  return f.joins->fetch_sub(missing, base::acq_rel) == missing;
}

}  // namespace

bool took_back(frame& parent, sched::address at) noexcept {
  hot::enter_scheduler();
  const bool ours = hot::self()->take_back(sched::queued(&parent));
  // relaxed: own word
  if (ours) hot::words().bot.store(at, base::relaxed);
  hot::leave_scheduler();
  return ours;
}

frame* child_ended(frame& parent) noexcept {
  leave_watched();
  hot::enter_scheduler();
  // before the count: whoever wins the join takes it at once
  if (parent.home == segmented_stack::current()) segmented_stack::leave();
  // release pairs with the acquires here and in won_join, so that whoever goes on sees what this child left; acquire
  // pairs with the releases there, so that we see the frame suspended and all that the others left
  const bool last = parent.joins->fetch_sub(1, base::acq_rel) == 1;
  frame* next = nullptr;
  if (sched::completion* waiting = last ? native_join_of(parent) : nullptr) {
    hot::self()->announce_end(*waiting);
  } else if (last) {
    reunite(parent);
    next = &parent;
  }
  hot::leave_scheduler();
  if (next != nullptr) join_watched(*next, false);
  return next;
}

void wait_for(sched::completion& done) noexcept {
  hot::enter_scheduler();
  const sched::address top = hot::top();
  if (!done.is_finished()) hot::self()->suspend_until(done, top, top);
  hot::leave_scheduler();
}

bool leave_after_fork(frame& parent, sched::address at) noexcept {
  if (strand::is_unwinding()) return true;
  if (took_back(parent, at)) {
    turn_watched(parent, sched::branch_end::unstolen);
    return false;
  }
  driver& below = driver::current();
  below.unwind(child_ended(parent));
  return true;
}

bool leave_at_join(frame& f) noexcept {
  if (!f.up.has(link::stolen)) {
    join_watched(f, true);
    return false;
  }
  end_stolen(f);
  hot::enter_scheduler();
  const bool won = won_join(f);
  if (won) {
    reunite(f);
  } else {
    driver::current().unwind(nullptr);
  }
  hot::leave_scheduler();
  if (won) join_watched(f, false);
  return !won;
}

void join_natively(frame& f) noexcept {
  if (!f.up.has(link::stolen)) return join_watched(f, true);
  end_stolen(f);
  sched::completion done;
  native_join_of(f) = &done;
  if (!won_join(f)) wait_for(done);
  native_join_of(f) = nullptr;
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
  if (f.up.has(link::child_threw)) f.error.end();  // an exception that nobody joined loses against the frame's own
  const link::word up = f.up.get();
  frame& parent = *link::parent(up);
  if ((up & link::called) != 0) {
    ::new (place) std::exception_ptr{std::current_exception()};
    strand::set<thrown>(place);
  } else if ((parent.up.set(link::child_threw) & link::child_threw) == 0) {  // the first one is kept
    parent.error.begin(std::current_exception());
  }
}

void start_over(frame& parent, void* awaiter, void (*start)(void*, frame&), link::word made_by) noexcept {
  static_cast<void>(parent);
  hot::enter_scheduler();
  driver::current().unwind_and_call({start, awaiter, made_by});
  hot::leave_scheduler();
}

}  // namespace tine::detail

namespace tine::sched {

namespace strand = detail::strand;
using detail::stop_object;

void awaken(std::uintptr_t continuation) noexcept {
  detail::frame& f = *reinterpret_cast<detail::frame*>(continuation);
  if (f.up.has(detail::link::stolen)) return;
  f.steals = 0;
  f.joins.begin(detail::unsplit);
  f.home = detail::segmented_stack::current();
  if (!f.up.has(detail::link::watched)) f.native_join = nullptr;
}

void resume(std::uintptr_t continuation) noexcept {
  detail::driver here;
  if ((continuation & detail::parked_bit) != 0) {
    const auto& p = *reinterpret_cast<const detail::parked*>(continuation - detail::parked_bit);
    strand::set<stop_object>(p.region);
    if (p.stack != nullptr) p.stack->take();
    detail::go_on_watching(p.watched_by);
    here.go_on_with(*p.who);
  } else {
    detail::frame& f = *reinterpret_cast<detail::frame*>(continuation);
    ++f.steals;
    f.up.set(detail::link::stolen);
    strand::set<stop_object>(f.home->region());
    detail::begin_stolen(f);
    here.go_on_with(f);
  }
  detail::segmented_stack::end();
  strand::set<stop_object>(0);
}

}  // namespace tine::sched
