// Forks of coroutines on instrumented strands (detail/sched/instrumentation.hpp). They are never on the usual path.
//
// The forks of a frame since its last join are right-nested: the second branch of each fork is everything that follows
// it, including the later forks. Their storage is on the heap, because the frame may continue on another worker; the
// strand that passes the join joins the forks, newest first.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/detail/coro/frame.hpp>
#include <tine/detail/sched/instrumentation.hpp>

namespace tine::detail {

/// An open fork of an instrumented frame; the storage of the parties follows.
struct alignas(16) observed_coro_fork {
  observed_coro_fork* previous;    ///< of the same frame
  sched::completion* native_join;  ///< replaces the frame's own: see frame
  sched::instrumentation parties;
  sched::branch_end how;
  bool is_placed = false;  ///< the continuation was placed on a worker
  /// The record of the fork, once the parties know of the fork; null from the begin of the second branch on. The
  /// position of the first branch does not hold it, because that branch may continue on another fiber, where a record
  /// may have the same address.
  sched::address record = nullptr;

  void* storage() noexcept { return this + 1; }
  void* of_region() noexcept { return parties.of_region(storage()); }
};

/// Called when the parent has written its record at `at`, and the child is about to start on the same strand.
TINE_API void begin_observed_fork(frame& parent, sched::address at, sched::site where) noexcept;

/// Called when the child's code has returned. Returns the same values as leave_after_fork.
TINE_API bool leave_after_observed_fork(frame& parent, sched::address at) noexcept;

}  // namespace tine::detail
