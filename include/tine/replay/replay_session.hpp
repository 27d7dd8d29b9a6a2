// replay_session: phases over the same data that mend their schedule until it is good, and then keep it.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/replay/record.hpp>

#include <cstdint>
#include <utility>

namespace tine {

/// Runs the phases of an iterative program. The first phase is recorded. The phases after it are relaxed replays, each
/// of which follows the schedule that the shortest phase so far has performed, and mends it. When two of them in a row
/// were not shorter than that phase by at least 2 %, or after 16 of them, the session has converged: from then on each
/// phase follows that schedule in order. If later phases take more than half again as long as the shortest one did,
/// twice in a row, the load has moved, and the session begins to mend again.
///
/// A session is used by one thread or strand at a time.
class replay_session {
 public:
  replay_session() = default;
  /// The first phase follows this schedule, relaxed, instead of being recorded.
  explicit replay_session(schedule first) : best_{std::move(first)}, has_schedule_{true} {}

  /// Runs `f()` as the next phase. The rules for `f` and its exceptions are those of `record`; a phase that throws
  /// changes nothing.
  template <class F>
    requires std::invocable<F&>
  replayed run(F&& f) {
    replayed done;
    if (!has_schedule_) {
      done.performed = record(f);
      done.time_workers();
    } else {
      done = replay(best_, converged_ ? replay_mode::strict_ordered : replay_mode::relaxed, f);
    }
    note(done);
    return done;
  }

  /// Returns true if the session follows its schedule in order, and does not mend it any more.
  bool converged() const noexcept { return converged_; }
  /// Returns the schedule that the next phase follows. The reference is valid until the next call of `run`.
  const schedule& best() const noexcept { return best_; }
  /// Returns the duration of the shortest phase since the session began to mend; 0 if there was none.
  std::uint64_t best_ns() const noexcept { return best_ns_; }

 private:
  TINE_API void note(const replayed& phase);

  schedule best_;
  std::uint64_t best_ns_ = 0;
  bool has_schedule_ = false, converged_ = false;
  int mended_ = 0;  ///< number of relaxed phases since the session began to mend
  int calm_ = 0;    ///< number of the last phases that were not much shorter, or, when it has converged, much longer
};

}  // namespace tine
