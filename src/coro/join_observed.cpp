// Instrumented coroutines: the storage of open forks, and the steps that we report to the parties of the strand. Only
// the strand that has the frame calls these functions.
#include "coro/join_observed.hpp"

#include "sched/scheduler_time.hpp"

#include <tine/detail/base/assert.hpp>
#include <tine/detail/base/object_at.hpp>

#include <cstdlib>

namespace tine::detail {
namespace {

namespace hot = sched::hot;
using sched::observer;

/// Spare storage of a thread, all of one size, so that observing a fork does not cost an allocation. Each observed fork
/// takes one, and its join gives it back.
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

/// Not inlined, because the next call may be on another thread. Both run in the scheduler's time, so that their memory
/// does not count as the program's.
TINE_NOINLINE void* take_storage(std::size_t bytes) noexcept {
  const sched::scheduler_time here;
  return spare.take(bytes);
}

TINE_NOINLINE void give_storage_back(observed_coro_fork* r, std::size_t bytes) noexcept {
  const sched::scheduler_time here;
  spare.give_back(r, bytes);
}

std::size_t bytes_of(const sched::instrumentation& parties) noexcept {
  return sizeof(observed_coro_fork) + parties.storage_bytes();
}

bool has_observer(frame& f) noexcept { return f.up.has(link::observed); }

/// An observed frame keeps its newest open fork where other frames keep their native join.
observed_coro_fork* newest(frame& f) noexcept {
  sched::completion* where = f.native_join;
  return base::from_word<observed_coro_fork>(base::to_word(where));
}
void set_newest(frame& f, observed_coro_fork* r) noexcept {
  f.native_join = base::from_word<sched::completion>(base::to_word(r));
}

/// Returns the fork whose first branch ends on this strand, which is instrumented.
observed_coro_fork& fork_of_ended() noexcept {
  void* storage;
  if (observer* const first = observer::current()) {
    storage = base::bytes_of(*first) - first->events->first_at;
  } else {
    storage = sched::region_strand::current()->in->storage_of_first(*sched::position::current());
  }
  return *(static_cast<observed_coro_fork*>(storage) - 1);
}

}  // namespace

handed_on<sched::completion*>& native_join_of(frame& f) noexcept {
  return has_observer(f) ? newest(f)->native_join : f.native_join;
}

namespace {

/// Places the parent's continuation on its worker, where it may already run when this function returns.
void place(frame& parent, observed_coro_fork& r) noexcept {
  hot::enter_scheduler();
  sched::awaken(base::to_word(&parent), nullptr);
  hot::leave_scheduler();
  r.is_placed = true;
  r.parties.in->place(r.of_region(), sched::queued(&parent));
}

}  // namespace

sched::join_counter* join_counter_of(frame& f) noexcept {
  sched::join_counter* oldest = nullptr;
  if (!has_observer(f)) return oldest;
  for (observed_coro_fork* r = newest(f); r != nullptr; r = r->previous) {
    if (r->is_placed) oldest = &r->parties.in->join_counter_of(r->of_region());
  }
  return oldest;
}

bool is_ended_placed() noexcept { return fork_of_ended().is_placed; }

sched::placement_policy* policy_of_ended() noexcept {
  if (sched::region_strand::current() == nullptr) return nullptr;
  observed_coro_fork& r = fork_of_ended();
  return r.is_placed ? &r.parties.in->join_counter_of(r.of_region()).with : nullptr;
}

void begin_observed_fork(frame& parent, sched::address at, sched::site where) noexcept {
  const auto parties = sched::instrumentation::current();
  auto* previous = has_observer(parent) ? newest(parent) : nullptr;
  auto* r = ::new (take_storage(bytes_of(parties)))
      observed_coro_fork{previous, nullptr, parties, sched::branch_end::unpromoted};
  set_newest(parent, r);
  if (previous == nullptr) parent.up.set(link::observed);
  parties.fork(r->storage(), where | sched::of_coroutine);
  if (parties.is_placed(r->storage())) {
    hot::set_top(at);
    return place(parent, *r);
  }
  sched::check_observed_capacity(at + sched::continuation_bytes);
  sched::push_observed(at, at + sched::continuation_bytes);
  base::signal_fence();  // the handler may promote the record as soon as the fork names it
  r->record = at;
  sched::serve_observed();
}

void first_done_observed(frame& parent, sched::branch_end how) noexcept {
  if (!has_observer(parent)) return;
  observed_coro_fork& r = fork_of_ended();
  r.how = how;
  r.record = nullptr;
  r.parties.first_done(r.storage());
}

void suspend_observed() noexcept {
  if (!sched::is_instrumented()) return;
  observed_coro_fork& r = fork_of_ended();
  r.parties.first_done_suspended(r.storage());
  if (r.parties.analysis != nullptr) sched::end_observing();
  if (r.parties.in != nullptr) sched::leave_region();
}

bool is_known_to_region(frame& f, sched::address record) noexcept {
  return has_observer(f) && newest(f)->record == record;
}

void begin_stolen(frame& f) noexcept {
  if (!has_observer(f)) return;
  observed_coro_fork& r = *newest(f);
  r.how = sched::branch_end::stolen;
  r.record = nullptr;
  r.parties.begin_stolen(r.storage());
}

void end_stolen(frame& f) noexcept {
  if (!has_observer(f)) return;
  observed_coro_fork& r = *newest(f);
  r.parties.end_stolen(r.storage());
}

void join_observed(frame& f, bool here) noexcept {
  if (!has_observer(f)) return;
  // The forks of a frame are joined together, so the join of the oldest stolen one is the join of all.
  const observed_coro_fork* oldest_stolen = nullptr;
  for (const observed_coro_fork* r = newest(f); r != nullptr; r = r->previous) {
    if (r->how == sched::branch_end::stolen) oldest_stolen = r;
  }
  observer* analysis = nullptr;
  for (observed_coro_fork* r = newest(f); r != nullptr; here = true) {
    const sched::instrumentation parties = r->parties;
    if (parties.in != nullptr) parties.in->join(r->of_region(), r->how, here, r == oldest_stolen);
    if (parties.analysis != nullptr) analysis = &parties.analysis->join(r->storage(), r->how, here);
    give_storage_back(std::exchange(r, r->previous), bytes_of(parties));
  }
  set_newest(f, nullptr);
  f.up.clear(link::observed);
  if (analysis != nullptr) sched::set_observer(analysis);
}

}  // namespace tine::detail
