// Tasks on the heap for whose end no strand waits at a join: submitted roots, and the tasks of groups.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/detail/base/object_at.hpp>
#include <tine/detail/sched/task.hpp>

#include <new>

namespace tine::sched {

/// A waiter's word in a completion has these bits if it is the address of the heap task itself.
inline constexpr completion::word is_on_heap = 6;

class TINE_API heap_task : public task {
 public:
  heap_task(const heap_task&) = delete;
  heap_task& operator=(const heap_task&) = delete;

  /// Called by the worker that has run the task, which does not touch it any more.
  virtual void leave_worker() noexcept = 0;
  /// Returns true if the task is a root.
  virtual bool is_root() const noexcept = 0;

  /// Returns the heap task that `t`, which is about to run, is; otherwise null.
  static heap_task* from(const task& t) noexcept { return from(t.done.flags()); }
  static heap_task* from(completion::word waiter) noexcept {
    return (waiter & is_on_heap) == is_on_heap ? base::from_word<heap_task>(waiter - is_on_heap) : nullptr;
  }

 protected:
  explicit heap_task(const descriptor& kind) noexcept : task{&kind, completion{base::to_word(this) | is_on_heap}, 0} {}
  virtual ~heap_task() = default;
};

}  // namespace tine::sched
