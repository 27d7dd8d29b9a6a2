// The driver: the native level below a strand's frames, which resumes them one after the other until this worker has
// nothing of the strand left to do.
#pragma once

#include <tine/coro/frame.hpp>
#include <tine/sched/events.hpp>

namespace tine::detail {

struct root;

/// What a watch that directs a strand has for plain code that waits for a coroutine.
struct directed_run {
  const sched::watch_directions* by = nullptr;  ///< null: none
  void* room = nullptr;
  bool rests = false;  ///< the driver has nothing left to do

  void begin_rest() noexcept;
  void end_rest() noexcept;
};

class driver {
 public:
  driver() noexcept;
  ~driver();
  driver(const driver&) = delete;
  driver& operator=(const driver&) = delete;

  static driver& current() noexcept { return *reinterpret_cast<driver*>(strand::get<driver_object>()); }

  /// Goes on with `f`, which is this worker's, until there is nothing left to do here.
  void go_on_with(frame& f) noexcept { drive(&f); }
  /// The same, after the native levels of a first call have returned to us.
  void go_on() noexcept { drive(landed()); }

  /// All native levels above return to the driver, which then goes on with `next`, if there is one.
  void unwind(frame* next) noexcept;

  struct deep_call {
    void (*start)(void* awaiter, frame& parent);  ///< null: none
    void* awaiter;
    link::word made_by;
  };
  /// The same, and then makes that call; no record is lost.
  void unwind_and_call(const deep_call& call) noexcept;

  directed_run run;  ///< of its root

 private:
  void drive(frame* next) noexcept;
  frame* step(frame* f) noexcept;
  frame* landed() noexcept;
  frame* after(link::word ended) noexcept;
  void call_from_here() noexcept;
  void forget_records() noexcept;

  const sched::address records_;  ///< the strand's first record
  frame* next_ = nullptr;
  deep_call call_{};
  sched::address top_ = nullptr, bot_ = nullptr;  ///< of the shadow stack, while levels unwind for a deep call

  // the strand's words before
  const std::uintptr_t native_limit_, driver_, unwinding_, parent_link_, result_place_, thrown_;
};

/// What native code waits for: the parent of a coroutine that has none.
struct root : frame {
  root() noexcept;
  ~root();

  /// After the first call of the coroutine has returned: works until the coroutine has ended, here or elsewhere.
  void finish() noexcept;
  /// The coroutine has ended, in the hands of driver `by`.
  void end(driver& by) noexcept;

  sched::completion done;
  driver here;
  segmented_stack* before;     ///< what the strand had
  segmented_stack* left;       ///< the same, if it is another scope's, and so not for the coroutine
  const sched::scope* inside;  ///< the innermost scope of the code that waits
  sched::watch* watched_by;
  bool ended = false;  ///< here
  bool met = false;    ///< somebody, as the watch wanted
  bool threw = false;  ///< the coroutine ended by an exception

 private:
  void wait_for_end() noexcept;
  void go_where_it_is_wanted() noexcept;
};

}  // namespace tine::detail
