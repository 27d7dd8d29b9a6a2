// The driver: the native function below a strand's frames. It resumes one frame after the other until this worker has
// nothing of the strand left to do. A driver lives on the native stack of its strand, and only that strand touches it.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/detail/base/object_at.hpp>
#include <tine/detail/coro/frame.hpp>
#include <tine/detail/sched/instrumentation.hpp>
#include <tine/detail/sched/scope.hpp>

#include <memory>

namespace tine::sched {
class observed_apart;
}

namespace tine::detail {

struct root;

/// The state that a region keeps while plain code waits for a coroutine.
struct placed_run {
  sched::region* by = nullptr;  ///< null: none
  void* storage = nullptr;
  bool is_blocked = false;  ///< the driver has run everything of the strand that is here: the strand is blocked

  void set_blocked(bool blocked) noexcept;
};

class driver {
 public:
  driver() noexcept;
  ~driver();
  driver(const driver&) = delete;
  driver& operator=(const driver&) = delete;

  static driver& current() noexcept { return *base::from_word<driver>(fiber_state::get<driver_object>()); }

  /// Resumes `f`, which belongs to this worker. Returns when this worker has nothing of the strand left to run.
  void resume_frame(frame& f) noexcept { drive(&f); }
  /// As resume_frame, when the native levels of a first call have already returned to this driver.
  void resume_landed() noexcept { drive(landed()); }

  /// Makes all native levels above return to the driver, which then resumes `next` unless that is null.
  void unwind(frame* next) noexcept;

  struct deep_call {
    void (*start)(void* awaiter, frame& parent, sched::site where);  ///< null: none
    void* awaiter;
    link::word made_by;
    sched::site where;  ///< the place of the call in the program
  };
  /// As unwind, but the driver then makes this call; the records stay.
  void unwind_and_call(const deep_call& call) noexcept;

  placed_run run;  ///< the placed run of its root

 private:
  friend struct debugger_layout;
  friend struct driver_chain;
  void drive(frame* next) noexcept;
  frame* step(frame* f) noexcept;
  frame* landed() noexcept;
  frame* after(link::word ended) noexcept;
  void call_from_here() noexcept;
  void forget_records() noexcept;

  const sched::address records_;  ///< where the strand's first record is
  frame* next_ = nullptr;
  /// the parent of the outermost frame on the native stack above; null: the first call of a root
  frame* parent_ = nullptr;
  deep_call call_{};
  sched::address top_ = nullptr, bot_ = nullptr;  ///< of the shadow stack, while levels unwind for a deep call

  // the fiber-local words as they were before this driver
  const std::uintptr_t native_limit_, driver_, unwinding_, parent_link_, result_slot_word_, thrown_;
};

/// The parent of a coroutine that plain code or the scheduler started, not another coroutine.
struct root : frame {
  /// Called by driver `by` when it has run the coroutine to its end.
  using end_function = void (*)(root& self, driver& by) noexcept;
  explicit root(end_function f) noexcept : end{f} { up.be_born(0); }

  const end_function end;
};

/// The parent of a coroutine that plain code runs and waits for.
struct awaited_root : root {
  /// Throws std::logic_error inside tine::isolate.
  TINE_API awaited_root();
  TINE_API ~awaited_root();
  awaited_root(const awaited_root&) = delete;
  awaited_root& operator=(const awaited_root&) = delete;

  /// Called after the coroutine's first call has returned. Returns when the coroutine has ended, on any worker.
  TINE_API void finish() noexcept;

  /// The analysis of the coroutine, if plain code runs it in a skipped stretch: its time can't be that of a strand.
  std::unique_ptr<sched::observed_apart> apart;
  sched::completion done;
  driver here;
  segmented_stack* before;     ///< the stack that the strand had
  segmented_stack* left;       ///< `before`, if it belongs to another scope, so that the coroutine must not use it
  segmented_stack* its_stack;  ///< the stack of the coroutine, if it has ended on another worker
  const sched::scope* inside;  ///< the innermost scope of the code that waits
  sched::attachment followed_by;
  bool ended = false;          ///< the coroutine has ended on this worker
  bool has_waited = false;     ///< the strand has waited at the run's join counter
  bool threw = false;          ///< the coroutine ended by an exception
  std::uint32_t fp_flags = 0;  ///< the sticky floating-point flags that it raised, if it has ended on another worker

  /// Returns the `end` of every awaited root.
  static end_function end_function_of_all() noexcept { return &end_of; }

 private:
  static end_function checked_end();
  static void end_of(root& self, driver& by) noexcept;
  void wait_for_end() noexcept;
  void continue_where_placed() noexcept;
};

/// The parent of a submitted coroutine, for which no strand waits. It has a scope of its own, because the coroutine may
/// outlive the task that starts it.
struct submitted_coroutine : root {
  TINE_API explicit submitted_coroutine(const base::atomic<bool>& stopping) noexcept;
  virtual void ended(bool threw) noexcept = 0;

  const sched::scope inside;

 protected:
  ~submitted_coroutine() = default;

 private:
  static void end_of(root& self, driver& by) noexcept;
};

/// Starts such a coroutine on a worker: construct it before the coroutine's first call, and call `finish` after that.
/// The coroutine may have ended then, and the root may be gone.
class begin_of_coroutine {
 public:
  TINE_API explicit begin_of_coroutine(submitted_coroutine& c) noexcept;
  TINE_API ~begin_of_coroutine();
  begin_of_coroutine(const begin_of_coroutine&) = delete;
  begin_of_coroutine& operator=(const begin_of_coroutine&) = delete;
  TINE_API void finish() noexcept;

 private:
  submitted_coroutine& root_;
  const sched::scope* const before_;
  driver here_;
};

}  // namespace tine::detail
