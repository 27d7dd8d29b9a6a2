// Submitted roots: their begin, their end, and the strands and threads that wait for them.
#include <tine/detail/sched/submitted_root.hpp>

#include "base/futex.hpp"
#include "sched/join_counter.hpp"
#include "sched/pool_state.hpp"

#include <tine/detail/base/assert.hpp>
#include <tine/detail/base/object_at.hpp>
#include <tine/detail/sched/alert.hpp>
#include <tine/detail/sched/instrumentation.hpp>
#include <tine/detail/sched/scope.hpp>

#include <string>

namespace tine::sched {
namespace {

/// The facts in submitted_root::state_. The thread that sets the later one of two facts does what follows from both.
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

/// The end of a detached root.
void check_detached(const std::exception_ptr& e) noexcept {
  try {
    std::rethrow_exception(e);
  } catch (const stopped&) {
    return;
  } catch (...) {
    end_program(e);
  }
}

/// A thread that waits for the end of a root.
struct waiting_thread : end_listener {
  waiting_thread() noexcept : end_listener{&wake} {}
  static void wake(end_listener& l) noexcept {
    auto& ended = static_cast<waiting_thread&>(l).ended;
    ended.store(1, base::release);  // pairs with the load in wait, so that the outcome is seen
    base::futex_wake(ended);        // of the address alone: the object may be gone
  }
  void wait() noexcept {
    while (ended.load(base::acquire) == 0) base::futex_wait(ended, 0, 0);  // pairs with the store in wake
  }
  base::atomic<std::uint32_t> ended{0};
};

/// A strand that waits for the end of a root continues on its thread, or, if its pool has another resume_policy, where an idle
/// worker takes it.
class waiting_strand final : public placement_policy, end_listener {
 public:
  explicit waiting_strand(worker& where) noexcept : end_listener{&arrive}, where_{where} {}
  ~waiting_strand() { wait_until_unpinned(); }
  waiting_strand(const waiting_strand&) = delete;
  waiting_strand& operator=(const waiting_strand&) = delete;

  void wait_for(submitted_root& r) noexcept {
    if (r.notify(*this)) both_.wait();
  }

 private:
  static void arrive(end_listener& l) noexcept { static_cast<waiting_strand&>(l).both_.arrive(); }
  bool may_resume_here(join_counter&) noexcept override { return true; }
  bool dispatch(join_counter& r) noexcept override {
    r.back.is_bound = where_.pool.keeps_threads();
    submit_affine(r.back, where_);
    return false;
  }
  void arrived_early() noexcept override {}

  worker& where_;
  join_counter both_{*this, 2};
};

}  // namespace

void submitted_root::submit_to(pool_state& pool, root_priority how) {
  pool_ = &pool;
  done.~completion();
  ::new (static_cast<void*>(&done)) completion{base::to_word(this) | begins_submitted_root};
  entry_.what = numbered(this, submitted_roots);
  pool.submit(entry_, how);
}

void submitted_root::wait() noexcept {
  if (has_ended()) return;
  worker* const here = hot::self();
  if (here == nullptr || is_kept_sequential()) {
    waiting_thread me;
    if (notify(me)) me.wait();
    return;
  }
  const attachment followed_by = attachment::detach();
  waiting_strand{*hot::self()}.wait_for(*this);
  followed_by.attach();
}

void submitted_root::request_stop() noexcept {
  // relaxed: only the facts themselves count
  if ((state_.fetch_or(stop_requested, base::relaxed) & (has_ended_fact | stop_requested)) != 0) return;
  stopping.store(true, base::relaxed);  // relaxed: the alert publishes it
  raise_alert();
  // relaxed: of this change and the one in `end`, the later one sees the other
  if ((state_.fetch_or(alert_raised, base::relaxed) & has_ended_fact) != 0) end_alert();
}

void submitted_root::detach() noexcept {
  // acquire pairs with the change in `end`, so that the outcome is seen
  if ((state_.fetch_or(detached, base::acquire) & has_ended_fact) != 0 && threw_) check_detached(error());
}

void submitted_root::end(bool threw) noexcept {
  threw_ = threw;
  // release pairs with the change in `detach`, so that the outcome is seen there
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
