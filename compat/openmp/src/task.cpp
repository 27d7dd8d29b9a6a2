// Tasks: their records, and what happens at a join. All of it runs on the strand that owns the task, except
// `run_stolen`, which a thief calls.
#include "task.hpp"

#include "dependences.hpp"
#include "fail.hpp"
#include "hot.hpp"
#include "record_head.hpp"
#include "task_record.hpp"
#include "team.hpp"
#include "thread_numbers.hpp"

#include <time.h>
#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace tine::openmp {

/// Microseconds. There are more workers than the team has threads, so the worker had better not steal again at once.
constexpr unsigned pause_after_refusal = 50;

/// A thief that finds no thread number gives the task back. It marks the record and ends at once, so the parent runs
/// the task where it joins it. On an instrumented strand the branch should contain the task, so there the thief waits,
/// unless numbers are bound: then two thieves could wait for each other.
std::uint8_t run_stolen_task(void* at) {
  auto& r = *static_cast<task_record*>(at);
  task& parent = *r.parent;
  team& t = *parent.team;
  thread_numbers::loan number{};
  // relaxed: the region set it before it forked
  if (t.is_observed.load(std::memory_order_relaxed) && !t.numbers.are_bound()) {
    number = t.numbers.borrow(parent);
  } else if (!t.numbers.try_to_borrow(parent, number)) {
    r.parent = nullptr;  // declined: its parent will run it
    ::usleep(pause_after_refusal);
    return 0;
  }
  void* const block = r.bytes == task_record::elsewhere ? r.block() : nullptr;
  run_task(parent, number.number, false, r.vars, r.group, r.call, block != nullptr ? block : r.arguments());
  std::free(block);
  t.numbers.give_back(number);
  return 0;
}

namespace {

/// Open records of a task on an instrumented strand.
constexpr unsigned most_observed = 1024;

void join_all(task& of) {
  join_records(of, nullptr);
  // Groups that are still open have no task from before their start any more.
  taskgroup* g = of.group;
  for (unsigned i = 0; i < of.own_groups; ++i, g = g->outer) g->before = nullptr;
}

/// Returns true if the task may keep one more record. Records that thieves have taken don't count, so a task that makes
/// many children makes as many as thieves take. The graph of an instrumented strand must not depend on thieves: there a
/// task joins all of its children whenever it has a certain number of them.
[[gnu::noinline]] bool may_defer(task& me) {
  if (me.defer_below == 0) {
    if (!me.team->is_native || !me.team->takes_thieves || me.is_final) return false;
    announce_task(*me.team);
    me.defer_below = 1;
  }
  if (me.open_observed != 0) {
    if (me.open_observed >= most_observed) join_all(me);
    return true;
  }
  const std::uintptr_t bot = hot::load<tine_abi_bot>();
  me.defer_below = std::max(me.defer_below, bot + most_open_bytes);
  return hot::load<tine_abi_top>() < me.defer_below;
}

/// Beyond the demand, at one work request.
constexpr unsigned most_offered = 32;
/// Shorter tasks aren't worth a steal.
constexpr std::int64_t shortest_offered = 1000;  // nanoseconds

std::int64_t now() noexcept {
  timespec t;
  ::clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1'000'000'000 + t.tv_nsec;
}

/// Runs one task with `run`, after it has served the work request of a thief. A thief that asks again and again takes
/// many short tasks, and each request costs it more time than such a task. So we offer twice as many each time, unless
/// our own next task shows that they are too short.
template <class Run>
void run_when_asked(task& me, Run run) {
  tine_abi_offer(me.offered);
  const std::int64_t start = now();
  run();
  me.offered = now() - start < shortest_offered ? 0 : std::min(2 * me.offered + 1, most_offered);
}

/// Copies the arguments to a block of their own.
void* copy_elsewhere(const task_request& q) {
  const std::size_t align = std::max<std::size_t>(q.align, 16);
  void* const block = std::aligned_alloc(align, (std::max<std::size_t>(q.size, 1) + align - 1) / align * align);
  if (block == nullptr) fail("there is no memory for %zu bytes of a task's arguments.", q.size);
  if (q.copy != nullptr) {
    q.copy(block, q.data);
  } else {
    std::memcpy(block, q.data, q.size);
  }
  if (q.bounds != nullptr) std::memcpy(block, q.bounds, 16);
  return block;
}

/// An included task has the data of the construct itself, unless they need a constructor.
void run_included(task& me, const task_request& q, bool is_final) {
  if (q.copy == nullptr) {
    if (q.bounds != nullptr) std::memcpy(q.data, q.bounds, 16);
    run_task(me, me.number, is_final, me.vars, me.group, q.call, q.data);
    return;
  }
  void* const block = copy_elsewhere(q);
  run_task(me, me.number, is_final, me.vars, me.group, q.call, block);
  std::free(block);
}

}  // namespace

void poll_task(task& me, task_record* r, const void* returns) noexcept {
  me.newest = static_cast<task_record*>(tine_abi_poll(r, returns));
  if (me.newest != r) {
    note_observed(me);
  } else if (me.offered != 0) {
    tine_abi_offer(me.offered);
  }
}

void defer_task(task& me, function call, const void* data, std::size_t bytes, const void* returns) noexcept {
  push_task(me, call, data, bytes, returns);
}

void end_task(task& of) noexcept {
  // Tasks that take turns have run. A task ends before its descendants: the race detector sees that they still run.
  if (of.team->turns == nullptr && (of.newest != nullptr || of.children != nullptr)) wait_for_children(of);
  delete std::exchange(of.children, nullptr);
  while (of.own_vars != nullptr) delete std::exchange(of.own_vars, of.own_vars->replaced);
}

void note_observed(task& me) noexcept { me.defer_below = ++me.open_observed < most_observed ? ~std::uintptr_t{0} : 1; }

/// A wait lends the thread number to the children that are waited for.
task_record* join_promoted(task& me) {
  const auto own = thread_numbers::of(me);
  if (me.open_observed != 0 && --me.open_observed < most_observed) me.defer_below = ~std::uintptr_t{0};
  me.team->numbers.lend(me.number, own);
  const bool has_run = tine_abi_join(me.newest) != 0;
  auto* const r = next_record<task_record>();
  me.newest = r->older;
  me.team->numbers.reclaim(me.number, own);
  if (!has_run) me.offered /= 2;  // there was no thief for it
  return has_run && r->parent != nullptr ? nullptr : r;
}

void run_larger(task& me, const task_record& r) noexcept {
  if (r.bytes == task_record::elsewhere) {
    void* const block = r.block();
    run_joined(me, r, block);
    return std::free(block);
  }
  alignas(16) std::byte arguments[most_plain_bytes];
  std::memcpy(arguments, r.arguments(), r.bytes);
  run_joined(me, r, arguments);
}

bool run_task(task& parent, int number, bool is_final, const icvs* vars, taskgroup* group, function call,
              void* data) noexcept {
  const auto before = hot::load<tine_abi_own>();
  task me{parent.team, &parent, number, false, is_final, vars, group};
  set_current(&me);
  const bool has_run = group == nullptr || !group->cancelled.load(std::memory_order_relaxed);  // relaxed: a hint
  if (has_run) [[likely]]
    call(data);
  else
    drop_task(call, data);
  if (me.has_loose_ends()) [[unlikely]]
    end_task(me);
  hot::store<tine_abi_own>(before);
  return has_run;
}

void make_task(const task_request& q) {
  task& me = current();
  const bool is_final = me.is_final || (q.flags & flag_final) != 0;
  if (me.group != nullptr && me.group->cancelled.load(std::memory_order_relaxed)) {  // relaxed: a hint
    if ((q.flags & flag_detach) != 0) *q.event = no_event;
    return drop_task(q.call, q.data);
  }
  if ((q.flags & (flag_depend | flag_detach)) != 0 || me.team->turns != nullptr) {
    const auto items = (q.flags & flag_depend) != 0 ? read_depend(q.depend) : std::vector<depend_item>{};
    if (make_dependent_task(me, q, is_final, items)) return;
  }
  if (!q.is_deferrable || is_final || !(hot::load<tine_abi_top>() < me.defer_below || may_defer(me))) {
    if (hot::load<tine_abi_limit>() != 0 || me.newest == nullptr) return run_included(me, q, is_final);
    run_when_asked(me, [&] { run_included(me, q, is_final); });
  } else if (q.copy == nullptr && q.bounds == nullptr && q.size <= most_plain_bytes && q.align <= 8) {
    push_task(me, q.call, q.data, q.size, q.returns);
  } else {
    void* const block = copy_elsewhere(q);
    push_task(me, q.call, &block, sizeof block, q.returns, true);
  }
}

void join_when_asked(task& me) {
  run_when_asked(me, [&] { join_unasked(me); });
}

void join_records(task& of, task_record* until) {
  while (of.newest != nullptr && of.newest != until) join_newest(of);
}

void wait_for_children(task& of) {
  join_all(of);
  if (of.children != nullptr) of.children->wait_for_all();
}

void yield_to_child() {
  task& me = current();
  if (me.newest != nullptr && (!is_in_own_group(me) || me.newest != me.group->before)) join_newest(me);
}

taskgroup& start_group(task& of) {
  of.group = new taskgroup{
      .outer = of.group, .before = of.newest, .reductions = of.group == nullptr ? nullptr : of.group->reductions};
  ++of.own_groups;
  return *of.group;
}

void end_group(task& of) {
  if (!is_in_own_group(of)) fail("GOMP_taskgroup_end: this task has started no taskgroup.");
  taskgroup* const g = of.group;
  join_records(of, g->before);
  if (of.children != nullptr) of.children->wait_for(*g);
  for (const std::uint32_t set : g->sets) tine_race_wait_for_tasks(set);
  of.group = g->outer;
  --of.own_groups;
  delete g;
}

member& current_member(const char* construct) {
  task& t = current();
  if (!t.is_implicit) {
    fail(
        "%s is in an explicit task: it belongs directly into a parallel region, where all threads of the team reach it.",
        construct);
  }
  return static_cast<member&>(t);
}

}  // namespace tine::openmp
