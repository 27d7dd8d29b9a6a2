// The interface of a party that follows the tasks of groups in the serial order: the race detector. Groups and
// submitted roots have neither records nor a place in the graph of forks, so they report their tasks and waits
// themselves. Any thread may call it.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/detail/sched/observer.hpp>

#include <cstdint>

namespace tine::sched {

struct task;

struct group_follower {
  /// The caller adds a task to the group of that number; 0: its first one, which gives it a number. Returns false if
  /// the caller is not followed, so that the task starts as usual. Otherwise calls `run(task)` on the calling thread:
  /// now, or later if the strand holds a lock, but before `before_wait` returns.
  bool (*add)(std::uint32_t& group, site where, void (*run)(void*) noexcept, void* task) noexcept;
  /// The caller waits for the group.
  void (*before_wait)() noexcept;
  /// All tasks of the group have ended.
  void (*after_wait)(std::uint32_t group) noexcept;
  /// The calling thread, outside of every pool, is about to call `block(what)`, which blocks until something in a pool
  /// has happened.
  void (*block)(void (*block)(void*) noexcept, void* what) noexcept;
  /// The caller submits a root; a worker is about to start it; its strand ends it; and the caller has waited for it.
  void (*submit)(const task& root) noexcept;
  void (*begin_submitted)(const task& root) noexcept;
  void (*end_submitted)(const task& root) noexcept;
  void (*know_submitted)(const task& root) noexcept;
};

/// The follower; null if the program has none. Registered before main.
TINE_API extern constinit const group_follower* registered_group_follower;

}  // namespace tine::sched
