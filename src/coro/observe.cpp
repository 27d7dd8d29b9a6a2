// Observed coroutines: the storage of open forks, and the events that are reported to the observer.
#include "coro/observe.hpp"

#include "coro/joins.hpp"
#include "sched/scheduler_time.hpp"

#include <tine/base/assert.hpp>
#include <tine/coro/driver.hpp>

#include <cstdlib>

namespace tine::detail {
namespace {

namespace hot = sched::hot;
using sched::observer;

/// Spare storage of a thread, all of one size. Each observed fork takes storage, and its join gives the storage back.
class spare_storage {
 public:
  ~spare_storage() { release_all(); }

  void* take(std::size_t bytes) noexcept {
    if (bytes != bytes_) {
      release_all();
      bytes_ = bytes;
    }
    if (first_ != nullptr) return std::exchange(first_, first_->previous);
    void* where = std::aligned_alloc(alignof(observed_coro_fork), bytes);
    if (where == nullptr) base::fatal("no memory is left to observe a fork.");
    return where;
  }
  void give_back(observed_coro_fork* r, std::size_t bytes) noexcept {
    if (bytes != bytes_) return std::free(r);
    r->previous = std::exchange(first_, r);
  }

 private:
  void release_all() noexcept {
    while (first_ != nullptr) std::free(std::exchange(first_, first_->previous));
  }
  observed_coro_fork* first_ = nullptr;
  std::size_t bytes_ = 0;
};

thread_local spare_storage spare;

/// take_storage and give_storage_back are not inlined, because the next call may be on another thread. They work in the scheduler's
/// time, so that the memory is not counted as the program's.
TINE_NOINLINE void* take_storage(std::size_t bytes) noexcept {
  const sched::scheduler_time here;
  return spare.take(bytes);
}

TINE_NOINLINE void give_storage_back(observed_coro_fork* r, std::size_t bytes) noexcept {
  const sched::scheduler_time here;
  spare.give_back(r, bytes);
}

std::size_t bytes_of(const observer& w) noexcept { return sizeof(observed_coro_fork) + w.events->storage_bytes; }

bool is_observed(frame& f) noexcept { return f.up.has(link::observed); }

/// An observed frame keeps its newest open fork where other frames keep their native join.
observed_coro_fork* newest(frame& f) noexcept {
  sched::completion* where = f.native_join;
  return reinterpret_cast<observed_coro_fork*>(where);
}
void set_newest(frame& f, observed_coro_fork* r) noexcept { f.native_join = reinterpret_cast<sched::completion*>(r); }

/// Returns the storage of the fork whose first branch ends on this strand.
observed_coro_fork& fork_of_ended(observer& first) noexcept {
  return *(static_cast<observed_coro_fork*>(first.events->storage_of_first(first)) - 1);
}

}  // namespace

handed_on<sched::completion*>& native_join_of(frame& f) noexcept {
  return is_observed(f) ? newest(f)->native_join : f.native_join;
}

namespace {

/// Places the continuation of the parent on its worker. The continuation may already run there when this function returns.
void place(frame& parent, observed_coro_fork& r) noexcept {
  hot::enter_scheduler();
  sched::awaken(reinterpret_cast<std::uintptr_t>(&parent), nullptr);
  hot::leave_scheduler();
  r.is_placed = true;
  r.events->placer->place(r.storage(), sched::queued(&parent));
}

bool must_place(observed_coro_fork& r) noexcept {
  return r.events->placer != nullptr && r.events->placer->is_placed(r.storage());
}

}  // namespace

sched::join_counter* join_counter_of(frame& f) noexcept {
  sched::join_counter* oldest = nullptr;
  if (!is_observed(f)) return oldest;
  for (observed_coro_fork* r = newest(f); r != nullptr; r = r->previous) {
    if (r->is_placed) oldest = &r->events->placer->join_counter_of(r->storage());
  }
  return oldest;
}

sched::placement_policy* policy_of_ended() noexcept {
  observer* const first = observer::current();
  if (first == nullptr) return nullptr;
  observed_coro_fork& r = fork_of_ended(*first);
  return r.is_placed ? &r.events->placer->join_counter_of(r.storage()).with : nullptr;
}

void begin_observed_fork(frame& parent, sched::address at, sched::site where) noexcept {
  observer& w = *observer::current();
  auto* previous = is_observed(parent) ? newest(parent) : nullptr;
  auto* r =
      ::new (take_storage(bytes_of(w))) observed_coro_fork{previous, nullptr, w.events, sched::branch_end::unpromoted};
  set_newest(parent, r);
  if (previous == nullptr) parent.up.set(link::observed);
  observer::set(w.events->fork(w, r->storage(), where | sched::of_coroutine));
  if (must_place(*r)) {
    hot::set_top(at);
    return place(parent, *r);
  }
  sched::check_observed_capacity(at + sched::continuation_bytes);
  sched::push_observed(at, at + sched::continuation_bytes, w.events->is_unstealable);
  sched::serve_observed();
}

void first_done_observed(frame& parent, sched::branch_end how) noexcept {
  if (!is_observed(parent)) return;
  observer& first = *observer::current();
  observed_coro_fork& r = fork_of_ended(first);
  r.how = how;
  observer::set(first.events->first_done(r.storage()));
}

void suspend_observed() noexcept {
  observer* first = observer::current();
  if (first == nullptr) return;
  first->events->first_done_suspended(fork_of_ended(*first).storage());
  sched::end_observing();
}

bool leave_after_observed_fork(frame& parent, sched::address at) noexcept {
  if (fiber_state::is_unwinding()) {
    hot::set_top(at);
    return true;
  }
  if (fork_of_ended(*observer::current()).is_placed) {
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

void begin_stolen(frame& f) noexcept {
  if (!is_observed(f)) return;
  observed_coro_fork& r = *newest(f);
  r.how = sched::branch_end::stolen;
  sched::begin_observing(r.events->begin(r.storage(), true));
}

void end_stolen(frame& f) noexcept {
  if (!is_observed(f)) return;
  observed_coro_fork& r = *newest(f);
  r.events->end(r.storage());
  sched::end_observing();
}

void join_observed(frame& f, bool here) noexcept {
  if (!is_observed(f)) return;
  observer* after = nullptr;
  for (observed_coro_fork* r = newest(f); r != nullptr; here = true) {
    after = &r->events->join(r->storage(), r->how, here);
    give_storage_back(std::exchange(r, r->previous), bytes_of(*after));
  }
  set_newest(f, nullptr);
  f.up.clear(link::observed);
  if (observer::current() != nullptr) {
    observer::set(*after);
  } else {
    sched::begin_observing(*after);
  }
}

observer* pause_observing() noexcept {
  observer* w = observer::current();
  if (w == nullptr) return nullptr;
  w->events->pause(*w);
  sched::end_observing();
  return w;
}

void resume_observing(observer* w) noexcept {
  if (w == nullptr) return;
  sched::begin_observing(*w);
  w->events->resume(*w);
}

}  // namespace tine::detail
