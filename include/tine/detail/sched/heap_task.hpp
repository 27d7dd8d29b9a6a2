// Tasks on the heap that no strand joins: submitted roots, and the tasks of groups. A worker runs each one, and no
// longer touches it after `leave_worker`.
#pragma once

#include <tine/detail/base/object_at.hpp>
#include <tine/detail/sched/task.hpp>

#include <new>

namespace tine::sched {

/// A waiter's word in a completion has these bits if it is the address of the heap task itself.
inline constexpr completion::word is_on_heap = 6;

class heap_task : public task {
 public:
  heap_task(const heap_task&) = delete;
  heap_task& operator=(const heap_task&) = delete;

  /// Called by the worker that has run the task. It doesn't touch the task afterwards.
  virtual void leave_worker() noexcept = 0;

 protected:
  explicit heap_task(const descriptor& kind) noexcept : task{&kind, completion{base::to_word(this) | is_on_heap}, 0} {}
  virtual ~heap_task() = default;
};

}  // namespace tine::sched
