// task_group: a scope for any number of tasks that may run in parallel, which need not be known when the scope begins.
#pragma once

#include <tine/detail/managed/group_state.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace tine {

/// A set of tasks that grows while they run. For searches of graphs, recursions with a varying number of children, and
/// code that finds its work step by step; where the branches are known, `par` and `par_for` cost far less.
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
/// A task waits in the group until a worker is idle, or until `wait` runs it: the newest task first, as a stack would.
/// An idle worker gets the oldest one. Everything that a task refers to must live until `wait` returns.
///
/// If tasks throw, `wait` rethrows the exception of that task which was added first, as in `par`: tasks that were added
/// after a task that threw do not begin, or stop at their next fork or chunk; tasks that were added before it run to
/// their end.
///
/// The stop tokens of the strand that makes the group stop its tasks, too. An analysis or a schedule sees the tasks as
/// loops, which begin at `wait`.
///
/// Thread-safety: `run` may be called from any thread, also from the tasks themselves. One thread at a time may call
/// `wait`, and need not be the one that made the group. A task costs an allocation and a lock, some 100 ns.
class task_group {
 public:
  /// The tasks run in the pool that the calling thread works for; outside every pool, in the default pool.
  task_group() : state_{detail::open_group()} {}
  /// While an exception leaves the scope, drops the tasks that have not begun, stops and joins the others, and drops
  /// their exceptions. Otherwise the program ends with a message if a task was added after the last `wait`.
  ~task_group() { detail::close_group(state_); }
  task_group(const task_group&) = delete;
  task_group& operator=(const task_group&) = delete;

  /// Adds a task that calls `f()`. A result is dropped; if `f` is a coroutine that returns a `tine::task`, that task is
  /// run. Throws `tine::stopped` if the calling strand is to stop, std::bad_alloc, and what copying `f` throws; then
  /// nothing is added.
  template <class F>
    requires std::invocable<std::decay_t<F>&>
  void run(F&& f) {
    detail::run_in_group(state_, *new detail::group_call<std::decay_t<F>>{std::decay_t<F>(std::forward<F>(f))});
  }

  /// Returns when all tasks have ended, those that they have added included. Throws the exception of the first of them
  /// that threw. Then the group is empty and may be used again.
  void wait() { detail::wait_for_group(state_); }

 private:
  detail::group_state& state_;
};

}  // namespace tine
