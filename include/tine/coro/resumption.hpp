// Suspends a task until something outside has happened, and resumes it.
#pragma once

#include <tine/coro/fork.hpp>
#include <tine/detail/base/macros.hpp>
#include <tine/detail/sched/instrumentation.hpp>
#include <tine/detail/sched/submission.hpp>
#include <tine/sched/pool.hpp>

#include <utility>

namespace tine {
namespace detail {

/// A task that waits for something outside. The object lies in the frame of the task, in the awaiter.
struct alignas(16) parked {
  sched::submission entry;
  frame* who;
  segmented_stack* stack;      ///< the task's stack, with its frame on it; null if it finds its own at its join
  sched::worker* where;        ///< the worker that the task was on
  const sched::scope* inside;  ///< the innermost stop scope of the task
  sched::attachment followed_by;
};

/// This bit distinguishes a parked task from a frame among continuations.
inline constexpr std::uintptr_t parked_bit = 2;

/// Takes the strand of `f`, which is suspended, off this worker. Everything else that was pending here becomes
/// stealable. The caller must then return to the driver.
TINE_API TINE_COLD void park(parked& p, frame& f) noexcept;

/// Throws std::invalid_argument.
[[noreturn]] TINE_API TINE_COLD void refuse_foreign();
/// Called when an awaiter has thrown although its task had left already: ends the program with a message.
[[noreturn]] TINE_API TINE_COLD void end_suspended() noexcept;

}  // namespace detail

/// Resumes a task, once, from any thread. A copy refers to the same task.
class resumption {
 public:
  /// The task continues on the first worker of its pool that is idle. The task, and everything that belongs to it, may
  /// be gone when this function returns.
  void resume() const noexcept { sched::submit(parked_->entry, nullptr, *parked_->where); }
  /// The task continues on worker `w`, when `w` has nothing else to do; on any worker, if `w` has left. Throws
  /// std::invalid_argument, and does not resume the task, if the worker belongs to another pool.
  void resume_on(worker_ref w) const {
    if (w && !sched::are_together(*w.get(), *parked_->where)) detail::refuse_foreign();
    sched::submit(parked_->entry, w.get(), *parked_->where);
  }

  explicit resumption(detail::parked& p) noexcept : parked_{&p} {}

 private:
  detail::parked* parked_;
};

namespace detail {

/// The awaiter that a task gets for something outside. It parks the task before it calls the await_suspend of `A`.
template <class A>
class parking {
 public:
  explicit parking(A& awaiter) noexcept : awaiter_{awaiter} {}
  bool await_ready() { return awaiter_.await_ready(); }
  template <promise_of_task Promise>
  void await_suspend(std::coroutine_handle<Promise> self) noexcept {
    park(parked_, self.promise());
    // from here on the task may continue elsewhere, and this awaiter may be gone
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

/// `co_await tine::resume_on(w)` in a task: the task continues on worker `w` of its pool, when `w` has nothing else to
/// do. It continues on any worker if `w` has left, and right here if `w` refers to no worker. Its pending forks become
/// stealable. Throws std::invalid_argument if the worker belongs to another pool.
///
/// A task waits for anything else through an object with
///
///     bool await_ready();                          // true: nothing to wait for
///     void await_suspend(tine::resumption r);      // keep r, and have r.resume() called once, from any thread
///     auto await_resume();                         // returns the result of the co_await
///
/// as in `co_await my_timer{10ms}`. await_suspend must not throw, and must not touch the object once it has given `r`
/// away. Neither form may be awaited inside `tine::sequential`.
inline detail::moving resume_on(worker_ref w) noexcept { return {w}; }

}  // namespace tine
