// Leaving a task for something that happens elsewhere, and coming back.
#pragma once

#include <tine/coro/fork.hpp>
#include <tine/sched/events.hpp>
#include <tine/sched/pool.hpp>
#include <tine/sched/submission.hpp>

#include <utility>

namespace tine {
namespace detail {

/// A task that waits for something outside. Lies in its frame, in the awaiter.
struct alignas(16) parked {
  sched::submission entry;
  frame* who;
  segmented_stack* stack;      ///< what it had, with itself on it; null if it will find its own at its join
  sched::worker* where;        ///< the worker it was on
  const sched::scope* inside;  ///< its innermost stop scope
  sched::watch* watched_by;
};

/// What tells a parked task from a frame among continuations.
inline constexpr std::uintptr_t parked_bit = 2;

/// Takes the strand of `f`, which is suspended, off this worker. What else was pending here becomes stealable. To be
/// followed by a return to the driver.
TINE_COLD void park(parked& p, frame& f) noexcept;

/// Throws std::invalid_argument.
[[noreturn]] TINE_COLD void refuse_foreign();
/// An awaiter has thrown when its task had left already: the program ends with a message.
[[noreturn]] TINE_COLD void end_suspended() noexcept;

}  // namespace detail

/// What a task can be resumed by, once, from any thread. Copying it copies the name, not the task.
class resumption {
 public:
  /// The task continues on whichever worker of its pool is idle first. The task, and whatever belongs to it, may be gone
  /// when this returns.
  void resume() const noexcept { sched::submit(parked_->entry, nullptr, *parked_->where); }
  /// The task continues on that worker, when it has nothing else to do; on any, if that one has left. Throws std::invalid_argument, and
  /// does not resume the task, if the worker is of another pool.
  void resume_on(worker_ref w) const {
    if (w && !sched::are_together(*w.get(), *parked_->where)) detail::refuse_foreign();
    sched::submit(parked_->entry, w.get(), *parked_->where);
  }

  explicit resumption(detail::parked& p) noexcept : parked_{&p} {}

 private:
  detail::parked* parked_;
};

namespace detail {

/// The awaiter of something outside, as the task sees it.
template <class A>
class parking {
 public:
  explicit parking(A& awaiter) noexcept : awaiter_{awaiter} {}
  bool await_ready() { return awaiter_.await_ready(); }
  template <promise_of_task Promise>
  void await_suspend(std::coroutine_handle<Promise> self) noexcept {
    park(parked_, self.promise());
    // from here on the task may go on elsewhere, and we may be gone
    try {
      awaiter_.await_suspend(resumption{parked_});
    } catch (...) {
      end_suspended();
    }
  }
  decltype(auto) await_resume() { return awaiter_.await_resume(); }

 private:
  A& awaiter_;
  parked parked_;
};

struct moving {
  worker_ref to;
  bool await_ready() const {
    if (!to || to == this_worker()) return true;
    if (!sched::are_together(*to.get(), *this_worker().get())) refuse_foreign();
    return false;
  }
  void await_suspend(resumption r) const noexcept { r.resume_on(worker_ref{to}); }
  void await_resume() const noexcept {}
};

}  // namespace detail

/// `co_await tine::resume_on(w)` in a task: it continues on worker `w` of its pool, when that one has nothing else to do (on
/// any, if that one has left; right here, if `w` is nobody). What it had pending is left to the others. Throws std::invalid_argument
/// if the worker is of another pool.
///
/// Anything else that a task waits for is awaited through an object with
///
///     bool await_ready();                          // true: nothing to wait for
///     void await_suspend(tine::resumption r);      // keep r, and have r.resume() called once, from any thread
///     auto await_resume();                         // what the co_await gives
///
/// as in `co_await my_timer{10ms}`. await_suspend must not throw, and once `r` is given away, must not touch the object. It
/// may not be awaited inside `tine::sequential`.
inline detail::moving resume_on(worker_ref w) noexcept { return {w}; }

}  // namespace tine
