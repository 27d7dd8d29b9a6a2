// The tasks of a task group, and the calls behind tine::task_group. A task lies on the heap, and the state of the group
// in the group itself. Any thread may call.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/detail/sched/heap_task.hpp>
#include <tine/detail/sched/submission.hpp>
#include <tine/sched/pool.hpp>
#include <tine/sched/stop_flag.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <utility>

namespace tine {

/// Says if a pool starts one more thread for the tasks of a `task_group`, if threads from outside of the pool add some.
/// `if_needed`: the first task starts the thread that `options::thread_for_roots` describes. So each starts soon,
/// whatever the thread that added it does next. `never`: only the pool's own threads take them, and the thread that
/// waits; perhaps also another thread in `run`. So the group never makes more threads than workers busy. But a pool of
/// one worker has no thread of its own, so they start in `wait`.
enum class group_thread : unsigned char { if_needed, never };

namespace detail {

class group_state;

/// A task of a group. Except for the callable, its members belong to the group.
class group_task : public sched::heap_task {
 public:
  ~group_task() override = default;

#if !TINE_RACE  // the race detector knows the life of a block from malloc and free
  TINE_API static void* operator new(std::size_t bytes);
  TINE_API static void operator delete(void* block, std::size_t bytes) noexcept;
  static void* operator new(std::size_t bytes, std::align_val_t align) { return ::operator new(bytes, align); }
  static void operator delete(void* block, std::size_t bytes, std::align_val_t align) noexcept {
    ::operator delete(block, bytes, align);
  }
#endif

 protected:
  group_task() noexcept : heap_task{kind} {}

 private:
  friend class group_state;
  friend class task_list;
  void leave_worker() noexcept final { delete this; }
  virtual void call() = 0;
  /// Destroys the callable, with all that it has captured.
  virtual void forget() noexcept = 0;
  static bool run(sched::task& t) noexcept;
  TINE_API static const sched::descriptor kind;

  group_state* of_ = nullptr;
  std::uint64_t number_ = 0;  // the tasks of a group are numbered in the order of `run`
  // for a task in the group's list, under the group's lock
  sched::submission entry_{};
  sched::worker* offered_at_ = nullptr;  // null: it is in no inbox
  group_task* older_ = nullptr;
  group_task* newer_ = nullptr;
};

template <class F>
class group_call final : public group_task {
 public:
  explicit group_call(F&& f) : function_{std::move(f)} {}

 private:
  void call() override { static_cast<void>(sched::run_here(*function_)); }
  void forget() noexcept override { function_.reset(); }
  std::optional<F> function_;
};

/// The memory of a group's state.
struct group_place {
  alignas(8) std::byte bytes[224];
};

/// `open_group` makes the state of a group, and `close_group` destroys it. A flag stops the tasks; so do the regions
/// around the first one, unless `is_isolated`. `run_in_group` takes possession of the task.
TINE_API void open_group(group_place& g);
TINE_API void open_group(group_place& g, const stop_flag& flag, bool is_isolated, group_thread thread);
TINE_API void close_group(group_place& g) noexcept;
TINE_API void run_in_group(group_place& g, group_task& t);
TINE_API void wait_for_group(group_place& g);
TINE_API void hold_group(group_place& g) noexcept;
TINE_API void release_group(group_place& g) noexcept;
TINE_API bool is_group_empty(const group_place& g) noexcept;

}  // namespace detail
}  // namespace tine
