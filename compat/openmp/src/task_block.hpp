// The memory of a task that clang has compiled. The compiled code gets it before the task is made, fills it in, and
// only then makes the task. It can't be a record of the shadow stack, because the code in between may make tasks of its
// own. Any thread may free a block.
#pragma once

#include "compiled_task.hpp"
#include "task.hpp"

#include <cstddef>

namespace tine::openmp {

struct early_event;

/// Our part of a task. A `compiled_task` follows, with its private variables and the addresses of shared ones.
struct alignas(64) task_block {
  enum kind_of_run : u4 {
    idle,
    running,   ///< an untied task, by `run_compiled_task`
    included,  ///< in compiled code, as the task in `storage`
  };

  alignas(openmp::task) std::byte storage[sizeof(openmp::task)];
  early_event* event;  ///< of a detachable task
  u4 task_bytes, shared_bytes;
  u4 flags;  ///< compiled_flag
  kind_of_run state;
  bool runs_again;  ///< an untied task has asked for its next part

  compiled_task* task() noexcept { return reinterpret_cast<compiled_task*>(this + 1); }
  static task_block& of(compiled_task* t) noexcept { return reinterpret_cast<task_block*>(t)[-1]; }
  std::size_t bytes() const noexcept { return std::size_t{task_bytes} + shared_bytes; }
};

compiled_task* new_compiled_task(u4 flags, std::size_t task_bytes, std::size_t shared_bytes, task_routine routine);
/// Calls the destructors of a task's private variables, and frees its block.
void end_compiled_task(compiled_task* t) noexcept;

/// The functions of tasks. Their data are the address of the compiled task, or the handle of an event and that address.
void run_compiled_task(void* data);
void run_detached_task(void* data);

/// Makes a task with any clauses. `returns`: the slot with the return address in the program.
[[gnu::noinline]] void make_compiled_task(compiled_task* t, bool is_deferrable, const void* returns, i4 count = 0,
                                          const compiled_dependence* list = nullptr);

}  // namespace tine::openmp
