// Event sources: code of another library that a pool's workers poll between tasks, because no thread announces its
// events.
#pragma once

#include <tine/base/ticks.hpp>
#include <tine/detail/base/macros.hpp>
#include <tine/sched/pool.hpp>

namespace tine::sched {

/// Code that a pool's workers call between tasks, because no thread announces its events: a message, the end of a
/// transfer, a completion in a ring buffer. The source resumes a task that waits for such an event
/// (`tine::resumption`).
///
/// A worker calls `look`
///
/// - in each round of its search for work. As long as `is_open` returns true there, the worker doesn't sleep.
/// - after `request_look`, at its next fork or chunk of a loop.
/// - while `is_open` returns true, also about every millisecond, at the next fork or chunk. The pool's signal does
///   this, so not with `options::interrupt = false`.
///
/// A program without a source doesn't execute an instruction for it at a fork. Thread-safety: any workers may call both
/// functions at once.
class event_source {
 public:
  /// The moment at which a worker calls `look`.
  enum class moment : unsigned char {
    idle,  ///< the worker looks for work
    busy,  ///< the worker is at a fork or a chunk of a loop, on the strand that runs there
  };

  /// Looks for events. It may resume tasks, and must not fork, wait, or throw. It can rely on only 32 KiB of the
  /// strand's stack.
  virtual void look(moment when) noexcept = 0;
  /// Returns true if the calling worker has to look again soon.
  virtual bool is_open() const noexcept = 0;

 protected:
  event_source() = default;
  event_source(const event_source&) = default;
  event_source& operator=(const event_source&) = default;
  ~event_source() = default;
};

/// The calling worker calls `look` of its pool's source now, unless it has done so, while it was busy, within the last
/// `gap` ticks. For code that reads the clock anyway, or that runs many short pieces: it needs no signal. Does nothing
/// outside of every pool, and without a source.
TINE_API void look_if_due(base::ticks gap) noexcept;

/// The worker calls `look` of its pool's source soon: at its next fork or chunk, or, if it sleeps, now. Does nothing if
/// there is no source. Thread-safety: any thread may call it. Takes a lock of the process.
TINE_API void request_look(worker_ref at) noexcept;

/// Each worker of the pool that runs a task calls `look` soon, at its next fork or chunk. Workers that sleep stay
/// asleep.
TINE_API void request_looks(pool& of) noexcept;

}  // namespace tine::sched
