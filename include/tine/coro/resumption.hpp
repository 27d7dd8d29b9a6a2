// Tasks that wait for something outside of the scheduler: how they are suspended, and resumed from any thread.
#pragma once

#include <tine/coro/fork.hpp>
#include <tine/detail/base/macros.hpp>
#include <tine/detail/sched/instrumentation.hpp>
#include <tine/detail/sched/submission.hpp>
#include <tine/sched/pool.hpp>

#include <utility>

namespace tine {
namespace detail {

/// A task that waits for something outside. It lies in the task's frame, inside the awaiter.
struct alignas(16) parked {
  sched::submission entry;
  frame* who;
  segmented_stack* stack;      ///< the task's stack, with its frame on it; null if it finds its own at its join
  sched::worker* where;        ///< the worker that the task was on
  const sched::scope* inside;  ///< the innermost stop scope of the task
  std::uint32_t fp_words;      ///< the floating-point environment of the task: control words and sticky flags
  std::uint32_t fp_flags;
  sched::attachment followed_by;
};

/// Marks a parked task among continuations; frames do not have this bit.
inline constexpr std::uintptr_t parked_bit = 2;

/// Takes the strand of the suspended frame `f` off this worker, and makes everything else that was pending here
/// stealable. The caller must then return to the driver.
TINE_API TINE_COLD void park(parked& p, frame& f) noexcept;

/// Throws std::invalid_argument.
[[noreturn]] TINE_API TINE_COLD void refuse_foreign();
/// Called when an awaiter threw although its task had already left: ends the program with a message.
[[noreturn]] TINE_API TINE_COLD void end_suspended() noexcept;

}  // namespace detail

/// Resumes a task once, from any thread. Copies refer to the same task.
class resumption {
 public:
  /// Lets the first idle worker of the task's pool continue it. The task and everything in it may be gone when this
  /// function returns.
  void resume() const noexcept { sched::submit(parked_->entry, nullptr, *parked_->where); }
  /// Lets worker `w` continue the task as soon as `w` has nothing else to do, or any worker if `w` has left. Throws
  /// std::invalid_argument, and does not resume the task, if `w` belongs to another pool.
  void resume_on(worker_ref w) const {
    if (w && !sched::are_together(*w.get(), *parked_->where)) detail::refuse_foreign();
    sched::submit(parked_->entry, w.get(), *parked_->where);
  }

  explicit resumption(detail::parked& p) noexcept : parked_{&p} {}

 private:
  detail::parked* parked_;
};

namespace detail {

/// The awaiter of a task that waits for something outside. It parks the task first and then calls the await_suspend of
/// `A`, because that may hand the task to another thread at once.
template <class A>
class parking {
 public:
  explicit parking(A& awaiter) noexcept : awaiter_{awaiter} {}
  bool await_ready() { return awaiter_.await_ready(); }
  template <promise_of_task Promise>
  void await_suspend(std::coroutine_handle<Promise> self) noexcept {
    park(parked_, self.promise());
    // from here on the task may run elsewhere, and this awaiter may be gone
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

/// `co_await tine::resume_on(w)` in a task: the task continues on worker `w` of its pool, as soon as `w` has nothing
/// else to do. If `w` has left, any worker continues it; if `w` refers to no worker, it continues right here. Its
/// pending forks become stealable. Throws std::invalid_argument if the worker belongs to another pool.
///
/// To wait for anything else, write an object with
///
///     bool await_ready();                          // true: nothing to wait for
///     void await_suspend(tine::resumption r);      // keep r, and have r.resume() called once, from any thread
///     auto await_resume();                         // returns the result of the co_await
///
/// and await it, as in `co_await my_timer{10ms}`. await_suspend must not throw, and must not touch the object after it
/// has handed `r` over. You can't await either form inside `tine::sequential`.
inline detail::moving resume_on(worker_ref w) noexcept { return {w}; }

}  // namespace tine
