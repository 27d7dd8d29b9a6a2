// A task of OpenMP: the values that its functions ask for, and the tasks that it has made. The strand that runs a task
// owns its `task`, on that strand's native stack; other strands only read the members that never change.
//
// A deferred task is a record on the shadow stack of the strand that made it. The owner joins its records newest first:
// at a taskwait, at the end of a taskgroup, at a barrier, or at its own end. Until then thieves take the oldest ones.
// A task that depends on others, or on an event, waits in `dependences` instead.
#pragma once

#include "hot.hpp"
#include "icvs.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tine::openmp {

class dependences;
struct member;
struct task;
struct task_record;
struct team;

using function = void (*)(void*);
using copy_function = void (*)(void*, void*);

/// A taskgroup, between its start and its end. Only its owner changes it, but any strand may cancel it.
struct taskgroup {
  taskgroup* outer = nullptr;
  task_record* before = nullptr;         ///< the newest open record when the group started; it isn't in the group
  std::uintptr_t* reductions = nullptr;  ///< the newest data of task reductions that its tasks see
  std::size_t open = 0;                  ///< tasks of the group in the owner's `dependences`, under their lock
  std::vector<std::uint32_t> sets{};     ///< of tasks that take turns: those in the group, also those of its tasks
  std::atomic<bool> cancelled{false};
};

/// The tasks of one strand that no thief has taken use at most this many bytes of its shadow stack.
inline constexpr std::uintptr_t most_open_bytes = 8192;

struct task {
  openmp::team* team;
  task* parent;  ///< null in initial tasks; the encountering task in implicit ones
  int number;    ///< of the thread in its team
  bool is_implicit = false;
  bool is_final = false;
  std::uint16_t next_team_size = 0;  ///< that clang's num_threads asks for, until the region starts
  std::uintptr_t defer_below;  ///< a new task whose record would be at or above this address may have to run at once
  const icvs* vars;
  taskgroup* group;                 ///< the innermost one; tasks inherit their parent's
  task_record* newest = nullptr;    ///< the newest open record, as tine_abi_join takes it
  dependences* children = nullptr;  ///< made by the first child that needs it
  const icvs* own_vars = nullptr;   ///< the sets that this task has made
  unsigned own_groups = 0;          ///< taskgroups that it has started and not ended
  unsigned open_observed = 0;       ///< open records on an instrumented strand
  unsigned offered = 0;             ///< records that it makes stealable beyond the demand at the next work request

  inline task(openmp::team* of, task* made_by, int thread, bool implicit, bool final, const icvs* values,
              taskgroup* inside) noexcept;
  /// A deferred task on the strand of its parent; its records start at `top`.
  task(task& made_by, const icvs* values, taskgroup* inside, std::uintptr_t top) noexcept
      : team{made_by.team},
        parent{&made_by},
        number{made_by.number},
        defer_below{top + most_open_bytes},
        vars{values},
        group{inside} {}
  task(const task&) = delete;
  task& operator=(const task&) = delete;

  /// Returns true if `end_task` has something to do.
  bool has_loose_ends() const noexcept {
    return (reinterpret_cast<std::uintptr_t>(newest) | reinterpret_cast<std::uintptr_t>(children) |
            reinterpret_cast<std::uintptr_t>(own_vars)) != 0;
  }
};

/// Returns the initial task of the calling thread, which is outside of every region.
[[gnu::noinline]] task& initial_task();

/// Returns the task that the calling strand runs, or null if it is an initial task that has not called us before.
[[gnu::always_inline]] inline task* current_or_null() noexcept {
  return reinterpret_cast<task*>(hot::load<tine_abi_own>());
}
/// Returns the task that the calling strand runs.
[[gnu::always_inline]] inline task& current() {
  if (task* const t = current_or_null()) [[likely]]
    return *t;
  return initial_task();
}
[[gnu::always_inline]] inline void set_current(task* t) noexcept {
  hot::store<tine_abi_own>(reinterpret_cast<std::uintptr_t>(t));
}

/// Returns the implicit or initial task that the calling strand runs. A construct that belongs to the team must not be
/// in an explicit task: ends the program with a message that names it.
member& current_member(const char* construct);

enum task_flag : unsigned {
  flag_final = 1U << 1,
  flag_depend = 1U << 3,
  flag_grainsize = 1U << 9,
  flag_if = 1U << 10,
  flag_nogroup = 1U << 11,
  flag_reduction = 1U << 12,
  flag_detach = 1U << 13,
  flag_strict = 1U << 14,
};

/// The construct that makes a new task.
struct task_request {
  function call;
  void* data;
  copy_function copy;  ///< copies `data`; null: it consists of plain bytes
  std::size_t size, align;
  bool is_deferrable;  ///< the value of the if clause
  unsigned flags;
  void** depend;
  void** event;                 ///< where the handle of the event goes, with flag_detach
  const std::uint64_t* bounds;  ///< a taskloop: the two first words of the task's data; otherwise null
  const void* returns;          ///< the slot with the return address in the program
};

void make_task(const task_request& request);

/// Frees what a task's data own, if its function would have done so: its group was cancelled before it started.
[[gnu::cold]] void drop_task(function call, void* data) noexcept;

/// Joins records until `until` is the newest one. Runs those that no thief has taken.
void join_records(task& of, task_record* until);
/// Returns when all tasks that `of` has made have ended.
void wait_for_children(task& of);
[[gnu::always_inline]] inline void end_children(task& of) {
  if (of.newest != nullptr || of.children != nullptr) [[unlikely]]
    wait_for_children(of);
}
/// Waits for the children of a task that ends, and frees what it owns. Call it if the task has loose ends.
[[gnu::noinline, gnu::cold]] void end_task(task& of) noexcept;
/// Runs one task that the current one has made, if there is one.
void yield_to_child();

/// Runs an explicit task on the calling strand, under that thread number. Returns false if its group was cancelled, so
/// that it hasn't run.
bool run_task(task& parent, int number, bool is_final, const icvs* vars, taskgroup* group, function call,
              void* data) noexcept;

/// Starts a taskgroup of the current task.
taskgroup& start_group(task& of);
void end_group(task& of);
/// Returns true if the innermost group of `of` is its own.
inline bool is_in_own_group(const task& of) noexcept { return of.own_groups != 0; }

/// Changes a control variable of a task; `change` gets the new set.
template <class Change>
void change_vars(task& of, Change change) {
  auto* const fresh = new icvs{*of.vars};
  fresh->replaced = of.own_vars;
  change(*fresh);
  of.own_vars = of.vars = fresh;
}

}  // namespace tine::openmp
