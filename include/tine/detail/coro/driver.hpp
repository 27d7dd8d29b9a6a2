// The driver: the native level below a strand's frames, which resumes them one after the other until this worker has
// nothing of the strand left to do.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/detail/base/object_at.hpp>
#include <tine/detail/coro/frame.hpp>
#include <tine/detail/sched/instrumentation.hpp>
#include <tine/detail/sched/scope.hpp>

namespace tine::detail {

struct root;

/// The state that a region keeps for plain code that waits for a coroutine.
struct placed_run {
  sched::region* by = nullptr;  ///< null: none
  void* storage = nullptr;
  bool is_blocked = false;  ///< the driver has nothing of the strand left to run: the strand is blocked

  void strand_blocked() noexcept;
  void strand_unblocked() noexcept;
};

class driver {
 public:
  driver() noexcept;
  ~driver();
  driver(const driver&) = delete;
  driver& operator=(const driver&) = delete;

  static driver& current() noexcept { return *base::from_word<driver>(fiber_state::get<driver_object>()); }

  /// Resumes `f`, which belongs to this worker, and returns when this worker has nothing of the strand left to run.
  void resume_frame(frame& f) noexcept { drive(&f); }
  /// As resume_frame, after the native levels of a first call have returned to this driver.
  void resume_landed() noexcept { drive(landed()); }

  /// Makes all native levels above return to the driver, which then resumes `next` unless it is null.
  void unwind(frame* next) noexcept;

  struct deep_call {
    void (*start)(void* awaiter, frame& parent);  ///< null: none
    void* awaiter;
    link::word made_by;
  };
  /// As unwind, but then makes that call; no record is lost.
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

  const sched::address records_;  ///< address of the strand's first record
  frame* next_ = nullptr;
  frame* parent_ =
      nullptr;  ///< the parent of the outermost frame on the native stack above; null: the first call of a root
  deep_call call_{};
  sched::address top_ = nullptr, bot_ = nullptr;  ///< of the shadow stack, while levels unwind for a deep call

  // the fiber-local words as they were before this driver
  const std::uintptr_t native_limit_, driver_, unwinding_, parent_link_, result_slot_word_, thrown_;
};

/// The parent of a coroutine that no coroutine has called.
struct root : frame {
  /// Called by driver `by` when it has run the coroutine to its end.
  using end_function = void (*)(root& self, driver& by) noexcept;
  explicit root(end_function f) noexcept : end{f} { up.be_born(0); }

  const end_function end;
};

/// The parent of a coroutine that plain code runs and waits for.
struct awaited_root : root {
  TINE_API awaited_root() noexcept;
  TINE_API ~awaited_root();
  awaited_root(const awaited_root&) = delete;
  awaited_root& operator=(const awaited_root&) = delete;

  /// Called after the first call of the coroutine has returned. Returns when the coroutine has ended, on this worker or
  /// on another one.
  TINE_API void finish() noexcept;

  sched::completion done;
  driver here;
  segmented_stack* before;     ///< the stack that the strand had
  segmented_stack* left;       ///< `before`, if it belongs to another scope, so that the coroutine must not use it
  segmented_stack* its_stack;  ///< the stack of the coroutine, if it has ended on another worker
  const sched::scope* inside;  ///< the innermost scope of the code that waits
  sched::attachment followed_by;
  bool ended = false;       ///< the coroutine has ended on this worker
  bool has_waited = false;  ///< the strand has waited at the run's join counter
  bool threw = false;       ///< the coroutine ended by an exception

  /// Returns the `end` of every awaited root.
  static end_function end_function_of_all() noexcept { return &end_of; }

 private:
  static void end_of(root& self, driver& by) noexcept;
  void wait_for_end() noexcept;
  void continue_where_placed() noexcept;
};

/// The parent of a coroutine for which no strand waits: a submitted root. Its scope takes the place of the scope of the
/// task that begins the coroutine, because the coroutine may live longer.
struct submitted_coroutine : root {
  TINE_API explicit submitted_coroutine(const base::atomic<bool>& stopping) noexcept;
  virtual void ended(bool threw) noexcept = 0;

  const sched::scope inside;

 protected:
  ~submitted_coroutine() = default;

 private:
  static void end_of(root& self, driver& by) noexcept;
};

/// The begin of such a coroutine on a worker: constructed before the first call of the coroutine. `finish` is called
/// after it; then the coroutine may have ended, and the root may be gone.
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
