// Submitted roots: how they start and end, and the strands and threads that wait for them. Any thread may wait, request
// a stop or detach, while the root's strand ends it.
#include <tine/detail/sched/submitted_root.hpp>

#include "base/fp_environment.hpp"
#include "sched/external_wait.hpp"
#include "sched/group_follower.hpp"
#include "sched/pool_state.hpp"

#include <tine/detail/base/assert.hpp>
#include <tine/detail/sched/alert.hpp>
#include <tine/detail/sched/instrumentation.hpp>
#include <tine/detail/sched/scope.hpp>
#include <tine/sched/pool.hpp>

#include <string>

namespace tine::sched {
namespace {

/// The facts in submitted_root::state_. If two facts together have a consequence, the thread that sets the later one
/// carries it out.
enum fact : unsigned {
  has_ended_fact = 1,
  stop_requested = 2,
  alert_raised = 4,  // a stop was requested, and the alert for it is raised
  detached = 8,
};

[[noreturn]] void end_program(const std::exception_ptr& e) noexcept {
  const std::string begin = "a detached root ended by an exception, which no code could catch: ";
  const std::string advice = ". Catch it in the root, or keep the handle and call get().";
  try {
    std::rethrow_exception(e);
  } catch (const std::exception& x) {
    base::fatal((begin + x.what() + advice).c_str());
  } catch (...) {
    base::fatal((begin + "of a type that is no std::exception" + advice).c_str());
  }
}

/// Called at the end of a detached root: an exception that no code could catch ends the program.
void check_detached(const std::exception_ptr& e) noexcept {
  try {
    std::rethrow_exception(e);
  } catch (const stopped&) {
    return;
  } catch (...) {
    end_program(e);
  }
}

/// A strand or a thread that waits for the end of a root.
struct waiting : end_listener {
  waiting() noexcept : end_listener{&wake} {}
  static void wake(end_listener& l) noexcept { static_cast<waiting&>(l).until_end.end(); }
  external_wait until_end;
};

}  // namespace

void submitted_root::submit_to(pool_state& asked, root_priority how) {
  pool_state& pool = asked.here();
  pool_ = &pool;
  set_fp_words(base::fp_control());
  from_ = place_of_root(observer::current());
  entry_.what = numbered(this, submitted_roots);
  if (registered_group_follower != nullptr) registered_group_follower->submit(*this);
  pool.submit(entry_, how);
}

void submitted_root::wait() noexcept {
  if (!has_ended()) wait_for_end();
  if (registered_group_follower != nullptr) registered_group_follower->know_submitted(*this);
}

void submitted_root::wait_for_end() noexcept {
  if (pool_->lost()) base::fatal("a child of fork(2) waits for a root that was submitted by its parent.");
  if (pool_->is_without_threads()) {
    if (!works_for(*pool_)) return wait_inside();
    if (is_kept_sequential())
      base::fatal(
          "code in tine::sequential waits for a submitted root, which would run on its own thread, because the system gives no other.");
  }
  waiting me;
  if (notify(me)) me.until_end.wait();
}

/// Waits as a caller of the pool, which then runs the root.
void submitted_root::wait_inside() noexcept {
  const auto here = [this] { wait(); };
  root_task<decltype(here)> root{here};
  run_root(*pool_, root);
}

void submitted_root::request_stop() noexcept {
  // relaxed: only the facts themselves count
  if ((state_.fetch_or(stop_requested, base::relaxed) & (has_ended_fact | stop_requested)) != 0) return;
  stopping.store(true, base::relaxed);  // relaxed: the alert publishes it
  raise_alert();
  // relaxed: this change and the one in `end` are ordered, and the later one sees the other
  if ((state_.fetch_or(alert_raised, base::relaxed) & has_ended_fact) != 0) end_alert();
}

void submitted_root::detach() noexcept {
  // acquire pairs with the change in `end`, so that we see the outcome
  if ((state_.fetch_or(detached, base::acquire) & has_ended_fact) != 0 && threw_) check_detached(error());
}

void submitted_root::end(bool threw) noexcept {
  if (registered_group_follower != nullptr) registered_group_follower->end_submitted(*this);
  threw_ = threw;
  // release pairs with the change in `detach`, which sees the outcome
  const unsigned facts = state_.fetch_or(has_ended_fact, base::release);
  if ((facts & alert_raised) != 0) end_alert();
  if (threw && (facts & detached) != 0) check_detached(error());
  pool_state& pool = *pool_;
  for (end_listener* l = listeners_.close(); l != nullptr;) {
    end_listener& called = *l;
    l = called.next;  // before the call, after which the listener may be gone
    called.call(called);
  }
  pool.end_submitted();
}

void submitted_root::release() noexcept {
  // release pairs with the acquire of the last user, which destroys what all others have written
  if (users_.fetch_sub(1, base::acq_rel) == 1) delete this;
}

}  // namespace tine::sched
