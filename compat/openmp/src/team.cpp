// Teams: the records of the members, barriers and cancellation.
#include "team.hpp"

#include "fail.hpp"
#include "hot.hpp"
#include "icvs.hpp"
#include "native_threads.hpp"
#include "record_head.hpp"
#include "stall_hint.hpp"
#include "task.hpp"
#include "workshare.hpp"

#include <tine/managed/task_group.hpp>
#include <tine/sched/pool.hpp>

#include <sched.h>
#include <algorithm>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace tine::openmp {

namespace {

/// A member that has not started.
struct member_record {
  record_head head;
  member_record* older;
  openmp::team* team;
  function call;
  void* data;
  std::uint64_t number;
};

constexpr unsigned most_members = 0xffff;  // fits into task::next_team_size

void run_member(team& t, int number, function call, void* data) noexcept {
  const auto before = hot::load<tine_abi_own>();
  {
    member me{t, t.met_by, number};
    set_current(&me);
    if (t.numbers.are_bound()) [[unlikely]]
      t.numbers.bind(number);
    if (t.is_crowded) stall_hint::note_event();
    call(data);
    end_member(me);
  }
  hot::store<tine_abi_own>(before);
}

/// A thief can be faster than the first fork of the region, which tells whether the strand is instrumented.
void wait_for_look(const team& t) noexcept {
  // acquire pairs with the release in push_members, so that the member sees `is_observed`
  for (unsigned i = 0; !t.has_looked.load(std::memory_order_acquire); ++i) {
    if (i < spins) {
      pause();
    } else {
      ::sched_yield();
    }
  }
}

std::uint8_t run_stolen_member(void* at) {
  const auto& r = *static_cast<member_record*>(at);
  wait_for_look(*r.team);
  run_member(*r.team, static_cast<int>(r.number), r.call, r.data);
  return 0;
}

constexpr tine_abi_kind kind_of_member{&run_stolen_member, sizeof(member_record), 0, 1};

[[gnu::always_inline]] inline member_record* push_member(team& t, member_record* older, unsigned number, function call,
                                                         void* data, const void* returns) noexcept {
  auto* const r = next_record<member_record>();
  r->head.kind = &kind_of_member;
  r->older = older;
  r->team = &t;
  r->call = call;
  r->data = data;
  r->number = number;
  return push_record(r, sizeof(member_record), returns);
}

/// The others get their records first, the last member's lowest. So a strand that no thief helps runs them in order.
/// The first fork tells whether the strand is instrumented: its record then has another address. Idle workers need not
/// ask: member 0 may not fork for long.
member_record* push_members(team& t, function call, void* data, const void* returns) noexcept {
  member_record* newest = nullptr;
  for (unsigned i = t.size - 1; i > 0; --i) {
    const auto* const at = next_record<member_record>();
    newest = push_member(t, newest, i, call, data, returns);
    if (i != t.size - 1) continue;
    t.is_observed.store(newest != at, std::memory_order_relaxed);  // relaxed: `has_looked` publishes it
    t.has_looked.store(true, std::memory_order_release);           // pairs with the acquire in wait_for_look
  }
  tine_abi_offer(0);
  return newest;
}

void join_members(team& t, member_record* newest) {
  while (newest != nullptr) {
    member_record* r = newest;
    bool has_run = false;
    if (pop_record(r)) [[unlikely]] {
      has_run = tine_abi_join(r) != 0;
      r = next_record<member_record>();
    }
    newest = r->older;
    if (has_run) continue;
    run_member(t, static_cast<int>(r->number), r->call, r->data);
  }
}

/// Calls `f` on a worker: here, if this thread is one.
template <class F>
void run_inside(F f) {
  if (this_worker()) return f();
  try {
    tine::run(f);
  } catch (const std::exception& e) {  // the pool can't start
    fail("%s", e.what());
  }
}

}  // namespace

member::member(openmp::team& of, task* met_by, int thread) noexcept
    : task{&of, met_by, thread, true, false, of.vars, of.group}, at{&of.first_share} {}

team::team(unsigned members, task* by, bool thieves) noexcept
    : size{members},
      level{by == nullptr ? 0 : by->team->level + 1},
      active_level{by == nullptr ? 0 : by->team->active_level + (members > 1 ? 1 : 0)},
      met_by{by},
      takes_thieves{thieves && members > 1},
      vars{by == nullptr ? &process().first : by->vars},
      is_crowded{members > process().workers},
      numbers{members},
      barrier{members} {
  first_share.left.store(members, std::memory_order_relaxed);  // the members get it with their records
  if (by == nullptr) return;
  league = by->team->league;
  const auto& list = process().thread_list;
  if (by->vars->list_at + 1 >= list.size()) return;
  nested_vars = *by->vars;
  nested_vars.replaced = nullptr;
  nested_vars.threads = list[++nested_vars.list_at];
  vars = &nested_vars;
}

void team::become_native(bool takes_turns) {
  is_native = true;
  if (takes_turns) {
    turns = std::make_unique<openmp::turns>(size);
    is_observed.store(true, std::memory_order_relaxed);  // relaxed: the threads get it with their jobs
  }
  is_crowded = size > process().processors;
  numbers.bind_to_threads();
}

unsigned size_of_team(const task& met_by, unsigned asked) {
  const icvs& v = *met_by.vars;
  if (met_by.team->active_level >= static_cast<unsigned>(v.max_active_levels)) return 1;
  unsigned n = asked != 0 ? asked : v.threads;
  if (v.dynamic) n = std::min(n, process().first.threads);
  if (asked <= most_members) n = std::min(n, v.thread_limit);
  if (n > most_members)
    fail("a parallel region asks for %u threads: tine runs at most %u. Is num_threads negative?", n, most_members);
  return n;
}

namespace {

void run_on_native_threads(team& t, function call, void* data, const void* returns) {
  const native_members others{t, call, data};
  const auto first = [&] {
    if (t.turns != nullptr) t.turns->open(*static_cast<const std::uintptr_t*>(returns));
    run_native_member(t, 0, call, data);
  };
  call_among_native_threads([](void* f) { (*static_cast<decltype(first)*>(f))(); },
                            const_cast<void*>(static_cast<const void*>(&first)));
}

}  // namespace

void run_region(function call, void* data, unsigned size, const void* returns, void (*prepare)(team&, void*),
                void* with, function of_program) {
  task& outer = current();
  const auto region = [=, &outer] {
    const auto before = hot::load<tine_abi_own>();
    team t{size, &outer, true};
    std::optional<stall_hint::open_team> crowded;
    if (t.is_crowded) crowded.emplace();
    if (process().is_recorded) t.numbers.bind_to_threads();
    if (prepare != nullptr) prepare(t, with);
    member_record* const others = push_members(t, call, data, returns);
    run_member(t, 0, call, data);
    join_members(t, others);
    hot::store<tine_abi_own>(before);
  };
  const bool is_checked = size > 1 && is_checked_for_races();
  const bool is_native = size > 1 && (is_checked || runs_natively(of_program != nullptr ? of_program : call));
  if (size > 1 && !is_native) return run_inside(region);
  team t{size, &outer, is_native};
  if (is_native) t.become_native(is_checked);
  if (prepare != nullptr) prepare(t, with);
  if (is_native) return run_on_native_threads(t, call, data, returns);
  run_member(t, 0, call, data);
}

/// A region between the calls of GOMP_parallel_start and GOMP_parallel_end. Outside of every pool the caller is no
/// worker; then the other members are tasks of a group, or have native threads.
struct open_region {
  open_region(unsigned size, task* met_by, bool takes_thieves) : members{size, met_by, takes_thieves} {}
  team members;
  member_record* others = nullptr;
  std::unique_ptr<task_group> group;
  std::unique_ptr<native_members> threads;
  std::unique_ptr<member> first;
  task* outer = nullptr;
};

void start_region(function call, void* data, unsigned size, const void* returns, void (*prepare)(team&, void*),
                  void* with) {
  task& outer = current();
  const bool is_inside = static_cast<bool>(this_worker());
  const bool is_native = size > 1 && runs_natively(call);
  auto* const r = new open_region{size, &outer, is_inside};
  r->outer = &outer;
  if (is_native) r->members.become_native(false);
  if (process().is_recorded) r->members.numbers.bind_to_threads();
  if (r->members.numbers.are_bound()) r->members.numbers.bind(0);
  if (prepare != nullptr) prepare(r->members, with);
  if (is_native) {
    r->threads = std::make_unique<native_members>(r->members, call, data);
  } else if (is_inside) {
    r->others = push_members(r->members, call, data, returns);
  } else if (size > 1) {
    r->group = std::make_unique<task_group>();
    for (unsigned i = 1; i < size; ++i) {
      r->group->run([r, i, call, data] { run_member(r->members, static_cast<int>(i), call, data); });
    }
  }
  r->first = std::make_unique<member>(r->members, &outer, 0);
  r->first->region = r;
  set_current(r->first.get());
}

void end_region() {
  member& me = current_member("GOMP_parallel_end");
  if (me.region == nullptr) fail("GOMP_parallel_end: no region that GOMP_parallel_start has started is open here.");
  const std::unique_ptr<open_region> r{me.region};
  end_member(me);
  if (r->members.is_native) wait_for_members(r->members);
  set_current(r->outer);
  join_members(r->members, r->others);
  if (r->group != nullptr) r->group->wait();
}

void end_member(member& me) noexcept {
  if (me.has_loose_ends()) [[unlikely]]
    end_task(me);
  leave_last_share(me);
  if (me.team->is_crowded) stall_hint::note_event();
  me.team->numbers.lend(me.number, thread_numbers::anyone);
}

namespace {

/// Spins for a while if each member can have a processor, because a strand that suspends takes long to wake. Returns
/// true if the condition is met.
template <class Condition>
bool spin_until(const team& t, Condition is_met) noexcept {
  if (t.is_crowded) return is_met();
  for (unsigned i = 0; i < spins; ++i) {
    if (is_met()) return true;
    pause();
  }
  return false;
}

}  // namespace

/// A member that doesn't come last spins for a short while, and then sleeps.
bool wait_at_barrier(member& me, bool may_be_cancelled) {
  end_children(me);
  team& t = *me.team;
  const auto is_cancelled = [&] { return may_be_cancelled && t.cancelled.load(std::memory_order_relaxed); };
  if (t.size == 1 || is_cancelled()) return is_cancelled();
  if (t.is_crowded) stall_hint::note_event();
  const unsigned mine = t.barrier.generation();
  if (t.barrier.arrive(mine)) {
    t.events.wake();
    if (t.turns != nullptr) t.turns->end_phase(static_cast<unsigned>(me.number));
    return false;
  }
  const auto has_ended = [&] { return t.barrier.has_ended(mine); };
  if (t.turns != nullptr) {
    t.turns->wait_at_barrier(static_cast<unsigned>(me.number), [&] { return has_ended() || is_cancelled(); });
    if (!has_ended()) t.barrier.withdraw();
    return !has_ended();
  }
  t.numbers.lend(me.number, thread_numbers::anyone);
  bool ended = spin_until(t, has_ended);
  if (!ended) {
    sleep_until(t, [&] { return has_ended() || is_cancelled(); });
    ended = has_ended();
  }
  if (!ended) t.barrier.withdraw();
  t.numbers.reclaim(me.number, thread_numbers::anyone);
  return !ended;
}

void wait_for_members(team& t) noexcept {
  if (t.barrier.end_member()) return t.events.wake();
  const auto all_ended = [&] { return t.barrier.have_all_ended(); };
  if (!spin_until(t, all_ended)) sleep_until(t, all_ended);
}

void cancel_region(team& t) {
  t.cancelled.store(true, std::memory_order_relaxed);  // relaxed: a hint
  t.events.wake();
}

bool is_first_at_single(member& me) noexcept {
  unsigned before = me.singles++;
  // To the race detector the last member executes the first construct: the others' code beside it is parallel to it.
  if (me.team->turns != nullptr) return before % me.team->size + static_cast<unsigned>(me.number) + 1 == me.team->size;
  // A replay must decide as the recording did. relaxed: the region set it before it forked
  if (me.team->is_observed.load(std::memory_order_relaxed))
    return before % me.team->size == static_cast<unsigned>(me.number);
  // relaxed: the barrier after the construct publishes what the first member writes
  return me.team->singles.compare_exchange_strong(before, before + 1, std::memory_order_relaxed);
}

ancestor ancestor_at(const task& of, int level) noexcept {
  const task* t = &of;
  if (level < 0 || level > static_cast<int>(t->team->level)) return {nullptr, -1};
  while (static_cast<int>(t->team->level) > level) t = t->team->met_by;
  return {t->team, t->number};
}

namespace {

struct initial {
  team alone{1, nullptr, false};
  member task{alone, nullptr, 0};
};

/// Ends the initial task.
void end(initial& made) noexcept {
  end_task(made.task);
  leave_last_share(made.task);
}

struct initial_of_thread {
  initial* made = nullptr;

  /// It stays if detached children may still refer to it.
  ~initial_of_thread() {
    if (made == nullptr || made->task.children != nullptr) return;
    if (current_or_null() == &made->task) set_current(nullptr);
    end(*made);
    delete std::exchange(made, nullptr);
  }
};

}  // namespace

void run_outside(function call, void* data) {
  const auto before = hot::load<tine_abi_own>();
  initial fresh;
  set_current(&fresh.task);
  call(data);
  end(fresh);
  hot::store<tine_abi_own>(before);
}

task& initial_task() {
  thread_local initial_of_thread mine;
  if (mine.made == nullptr) mine.made = new initial;
  if (!this_worker()) set_current(&mine.made->task);
  return mine.made->task;
}

}  // namespace tine::openmp
