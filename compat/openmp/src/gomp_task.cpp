// libgomp's entry points for tasks, taskgroups and taskloops. A strand calls them for the task that it runs.
#include "dependences.hpp"
#include "fail.hpp"
#include "hot.hpp"
#include "place_of_return.hpp"
#include "reductions.hpp"
#include "task.hpp"
#include "task_record.hpp"
#include "taskloop_division.hpp"
#include "workshare.hpp"

#include <algorithm>
#include <array>

#pragma GCC visibility push(default)

using namespace tine::openmp;

namespace {

void run_taskloop(task_request q, const iteration_space& space, std::uint64_t clause) {
  task& me = current();
  if (space.count == 0) return;
  const taskloop_division d = divide_taskloop(space.count, q.flags, clause, me.team->size);
  const bool has_group = (q.flags & flag_nogroup) == 0;
  if (has_group) {
    start_group(me);
    if ((q.flags & flag_reduction) != 0) {
      auto* const data = static_cast<std::uintptr_t**>(q.data)[2];  // behind the bounds
      register_reductions(data, me.group->reductions, me.team->size);
      me.group->reductions = data;
    }
  }
  std::uint64_t at = 0;
  for (std::uint64_t i = 0; i < d.tasks; ++i) {
    const std::uint64_t end = std::min(at + d.length(i), space.count);
    const std::array<std::uint64_t, 2> bounds{space.value(at), space.value(end)};
    q.bounds = bounds.data();
    make_task(q);
    at = end;
  }
  if (has_group) end_group(me);
}

/// The fast path of a task whose if clause is false, or that no other thread of its team could take, while no worker
/// asks for an older task.
[[gnu::noinline]] void run_at_once(task& me, function call, void* data) {
  task inner{me.team, &me, me.number, false, me.is_final, me.vars, nullptr};
  set_current(&inner);
  call(data);
  if (inner.has_loose_ends()) [[unlikely]]
    end_task(inner);
  set_current(&me);
}

}  // namespace

extern "C" {

void GOMP_task(function fn, void* data, copy_function copy, long size, long align, bool is_deferrable, unsigned flags,
               void** depend, int, void** event) {
  constexpr unsigned special = flag_final | flag_depend | flag_detach;
  auto* const me = current_or_null();
  const auto bytes = static_cast<std::size_t>(size);
  if (me != nullptr && is_deferrable && copy == nullptr && align <= 8 && (flags & special) == 0 &&
      hot::load<tine_abi_top>() < me->defer_below) [[likely]] {
    if (bytes - 8 <= 8) [[likely]]
      return push_small_task(*me, fn, data, bytes, place_of_return());
    if (bytes <= most_plain_bytes) return defer_task(*me, fn, data, bytes, place_of_return());
  }
  if (me != nullptr && (!is_deferrable || !me->team->takes_thieves) && copy == nullptr && (flags & special) == 0 &&
      me->group == nullptr && (me->newest == nullptr || hot::load<tine_abi_limit>() != 0))
    return run_at_once(*me, fn, data);
  asm volatile("" : "+m"(depend), "+m"(event));  // keeps the fast path from loading them
  make_task({fn, data, copy, bytes, static_cast<std::size_t>(align), is_deferrable, flags, depend, event, nullptr,
             place_of_return()});
}

void GOMP_taskwait() { wait_for_tasks(); }

void GOMP_taskwait_depend(void** depend) {
  task& me = current();
  if (me.children != nullptr) me.children->wait_for(read_depend(depend));
}

/// A task without a body, on which later tasks may depend.
void GOMP_taskwait_depend_nowait(void** depend) {
  char nothing = 0;
  make_task({[](void*) {}, &nothing, nullptr, 0, 1, true, flag_depend, depend, nullptr, nullptr, place_of_return()});
}

void GOMP_taskyield() { yield_to_child(); }

void GOMP_taskgroup_start() { start_group(current()); }
void GOMP_taskgroup_end() { end_group(current()); }

void GOMP_taskgroup_reduction_register(std::uintptr_t* data) {
  task& me = current();
  if (!is_in_own_group(me)) fail("task_reduction: this task has started no taskgroup.");
  register_reductions(data, me.group->reductions, me.team->size);
  me.group->reductions = data;
}

void GOMP_taskgroup_reduction_unregister(std::uintptr_t* data) { unregister_reductions(data); }

void GOMP_task_reduction_remap(std::size_t count, std::size_t originals, void** addresses) {
  find_copies(count, originals, addresses);
}

void GOMP_taskloop(function fn, void* data, copy_function copy, long size, long align, unsigned flags,
                   unsigned long clause, int, long start, long end, long step) {
  run_taskloop({fn, data, copy, static_cast<std::size_t>(size), static_cast<std::size_t>(align), (flags & flag_if) != 0,
                flags & ~flag_depend & ~flag_detach, nullptr, nullptr, nullptr, place_of_return()},
               iteration_space::of(start, end, step), clause);
}

void GOMP_taskloop_ull(function fn, void* data, copy_function copy, long size, long align, unsigned flags,
                       unsigned long clause, int, unsigned long long start, unsigned long long end,
                       unsigned long long step) {
  constexpr unsigned flag_up = 1U << 8;
  run_taskloop({fn, data, copy, static_cast<std::size_t>(size), static_cast<std::size_t>(align), (flags & flag_if) != 0,
                flags & ~flag_depend & ~flag_detach, nullptr, nullptr, nullptr, place_of_return()},
               iteration_space::of((flags & flag_up) != 0, start, end, step), clause);
}

void omp_fulfill_event(void* event) {
  if (event == nullptr) fail("omp_fulfill_event: the event handle is null.");
  fulfil_event(event);
}

}  // extern "C"

#pragma GCC visibility pop
