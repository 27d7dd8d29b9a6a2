// The steps of a fork that every front end shares.
#pragma once

#include <tine/detail/sched/hot_words.hpp>

namespace tine::sched {

/// The protocol of a fork. The owner
///
/// 1. writes the record of the fork at the top of the shadow stack,
/// 2. calls `push`, and takes its slow path if the limit is reached: a work request is pending, or the strand is
///    instrumented,
/// 3. runs the first branch,
/// 4. calls `pop`, and takes the slow path of the join if the record was promoted. Otherwise the record is gone, and
///    the owner runs the second branch.
///
/// Between 2 and 4 the owner or its signal handler may promote the record, and a thief may steal it. `par` and `spork`
/// (detail/managed/usual_path.hpp), the forks of coroutines (coro/fork.hpp), counted forks, the models of tests/model,
/// and compiled code (spork/ir/codegen/emit_hot.cpp, which emits the same two steps) follow it.
struct fork_protocol {
  /// The record from `at` to `end` is complete. Returns true if the fork has to take its slow path.
  TINE_ALWAYS_INLINE static bool push(address at, address end, hot::block b = {}) noexcept {
    hot::set_top(end, b);
    return hot::is_past_limit(at, b);
  }

  /// The first branch has ended. Returns true if the record at `at` was promoted.
  TINE_ALWAYS_INLINE static bool pop(address at) noexcept {
    const hot::block b;
    hot::set_top(at, b);
    return hot::is_promoted(at, b);
  }
};

/// Returns true if a fork would take its slow path.
TINE_ALWAYS_INLINE bool is_top_past_limit() noexcept {
  const hot::block b;
  return hot::is_past_limit(hot::top(b), b);
}

}  // namespace tine::sched
