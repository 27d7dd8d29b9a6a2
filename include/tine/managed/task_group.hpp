// task_group: a scope for any number of tasks that may run in parallel. The number need not be known when the scope
// begins. Any thread may add tasks.
#pragma once

#include <tine/detail/managed/group_state.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace tine {

/// A set of tasks that grows while they run. For searches of graphs, recursions with a varying number of children, and
/// code that finds its work step by step. If you know the branches, `par` and `par_for` cost far less.
///
///     tine::task_group g;
///     visit = [&](node& n) {
///       for (node& next : n.neighbours) {
///         if (next.claim()) g.run([&] { visit(next); });
///       }
///     };
///     visit(root);
///     g.wait();
///
/// A task waits until a worker is idle, or until `wait` runs it: the newest task first, as a stack would. An idle
/// worker gets the oldest one. Everything that a task refers to must live until `wait` returns.
///
/// If tasks throw, `wait` rethrows the exception of the task that was added first, as in `par`. Tasks added after a
/// task that threw don't start, or stop at their next fork or chunk; tasks added before it run to their end.
///
/// The stop tokens of the strand that makes the group stop its tasks, too. An analysis or a schedule sees the tasks as
/// loops that start at `wait`. The race detector runs each task in `run`.
///
/// Thread-safety: any thread may call `run`, also the tasks themselves. One thread at a time may call `wait`; it can be
/// any thread. A task costs some 500 instructions, where a fork costs 35, and a group 300 more.
class task_group {
 public:
  /// The tasks run in the pool that the calling thread works for, or, outside of every pool, in the default pool.
  task_group() { detail::open_group(state_); }
  /// As `task_group()`, but `flag` stops the tasks, too, and must live as long as the group. In place of the strand
  /// that makes the group, the strand that adds its first task after each `wait` says what else stops the tasks;
  /// nothing does if `is_isolated`. A thread that waits runs tasks in the regions in which it waits, so call `wait` in
  /// `flag.run`.
  explicit task_group(const stop_flag& flag, bool is_isolated = false, group_thread thread = group_thread::if_needed) {
    detail::open_group(state_, flag, is_isolated, thread);
  }
  /// If an exception leaves the scope, drops the tasks that have not started, stops and joins the others, and drops
  /// their exceptions. Otherwise, if a task was added after the last `wait`, the program ends with a message.
  ~task_group() { detail::close_group(state_); }
  task_group(const task_group&) = delete;
  task_group& operator=(const task_group&) = delete;

  /// Adds a task that calls `f()`. Its result is dropped; if `f` is a coroutine that returns a `tine::task`, that task
  /// is run. If this throws, nothing is added: `tine::stopped` if the calling strand is to stop, std::bad_alloc, or
  /// what copying `f` throws.
  template <class F>
    requires std::invocable<std::decay_t<F>&>
  TINE_ALWAYS_INLINE void run(F&& f) {
    detail::run_in_group(state_, *new detail::group_call<std::decay_t<F>>{std::decay_t<F>(std::forward<F>(f))});
  }

  /// Returns when all tasks have ended, including those that they have added. Throws the exception of the first of them
  /// that threw. Afterwards the group is empty, and you may use it again.
  void wait() { detail::wait_for_group(state_); }

  /// Keeps `wait` from returning until a call of `release`: for a task that some thread will perhaps add later. Each
  /// call needs one of `release`, on any thread. The end of the group waits for it, too.
  void hold() noexcept { detail::hold_group(state_); }
  /// Ends one `hold`.
  void release() noexcept { detail::release_group(state_); }

  /// Returns true if no task is pending or running, and no call of `hold` is left. Another thread may add a task at any
  /// time.
  bool is_empty() const noexcept { return detail::is_group_empty(state_); }

 private:
  detail::group_place state_;
};

}  // namespace tine
