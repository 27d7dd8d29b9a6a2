// The locks of the process, and what the lock checker has found. One lock protects all of it; it is never held while
// user code runs.
#pragma once

#include "augment/locked.hpp"
#include "trace/profile.hpp"

#include <tine/detail/sched/observer.hpp>

#include <cstdint>

namespace tine::detail {

class found_locks {
 public:
  /// Starts to listen to the locks of the process. `longer_than`: waits that take more nanoseconds are findings.
  /// Returns false, and prints why, if there is nothing to listen to.
  static bool open(std::uint64_t longer_than) noexcept;

  /// A root starts at this vertex, or has ended there.
  static void begin_root(locked& v) noexcept;
  static void end_root(const locked& v) noexcept;

  /// A strand holds locks where it forks or loops, or where it has ended, in a fork or loop at `where`.
  static void note_held(const locked& v, trace::lock_problem what, sched::site where) noexcept;

  /// Adds the rows of the profile.
  static void add_rows(trace::profile& to);

  /// Call `lock` and `unlock` around fork(), and `forget` in the forked process before `unlock`: the parent reports
  /// what was found.
  static void lock() noexcept;
  static void unlock() noexcept;
  static void forget() noexcept;
};

}  // namespace tine::detail
