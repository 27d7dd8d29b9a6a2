// Parks a task that waits for something outside; `src/coro/join.cpp:resume` resumes it. `park` runs on the task's
// strand.
#include "base/fp_environment.hpp"
#include "coro/join_observed.hpp"
#include "sched/worker.hpp"

#include <tine/coro/resumption.hpp>
#include <tine/detail/base/assert.hpp>
#include <tine/detail/base/object_at.hpp>
#include <tine/detail/coro/driver.hpp>
#include <tine/detail/coro/segmented_stack.hpp>
#include <tine/detail/sched/scope.hpp>

#include <stdexcept>

namespace tine::detail {

void park(parked& p, frame& f) noexcept {
  namespace hot = sched::hot;
  hot::enter_scheduler();
  sched::worker& here = *hot::self();
  if (!here.promote_even_closed(hot::words())) {
    base::fatal("a task was suspended inside tine::sequential, which must keep its thread: do not wait in there.");
  }
  hot::leave_scheduler();
  p.followed_by = sched::attachment::detach();
  hot::enter_scheduler();
  p.entry.what = sched::of_running_root(sched::queued(base::from_word<void>(base::to_word(&p) | parked_bit)));
  p.who = &f;
  p.where = &here;
  here.note(sched::event_kind::parks, base::to_word(&f));
  p.inside = sched::current_scope();
  p.fp_words = base::fp_control();
  p.fp_flags = base::fp_flags();
  here.parked.enter(p.entry);
  hot::set_fiber_local<sched::scope_word>(0);  // once the task has left, its scopes may end
  // between a fork and its join a stolen frame's stack is elsewhere, and the one here is empty
  if (f.up.has(link::stolen)) {
    segmented_stack::end();
    p.stack = nullptr;
  } else {
    p.stack = segmented_stack::leave();
  }
  driver::current().unwind(nullptr);
  hot::leave_scheduler();
}

void end_suspended() noexcept {
  base::fatal(
      "the await_suspend of an awaiter threw, when its task had left its worker already and may have continued elsewhere: it must not throw. Throw in await_ready, or in await_resume after the task was resumed.");
}

void refuse_foreign() {
  throw std::invalid_argument{
      "tine::resume_on: the worker belongs to another pool; a task continues on workers of its own pool only, so run a task in the other one: other.run(...)"};
}

}  // namespace tine::detail
