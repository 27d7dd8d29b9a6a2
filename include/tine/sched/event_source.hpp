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
/// - in each round of its search for work; as long as `is_open` returns true there, the worker doesn't sleep;
/// - at its next fork, or chunk of a loop, after `request_look`;
/// - while `is_open` returns true, also at its first fork or chunk after about every millisecond. The pool's signal
///   does this, so not with `options::interrupt = false`.
///
/// A program without a source doesn't execute an instruction for it at a fork. Thread-safety: any workers may call both
/// functions at once.
class event_source {
 public:
  /// What the worker was doing when it called `look`.
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

/// The calling worker calls `look` of the source of its pool now, unless it has done so, while it was busy, within the last `gap` ticks. Meant for code that
/// reads the clock anyway, or that runs many short pieces: it needs no signal. Does nothing outside every pool, and without a source.
TINE_API void look_if_due(base::ticks gap) noexcept;

/// The worker calls `look` of the source of its pool soon: at its next fork or chunk, or, if it sleeps, now. Does nothing if there is
/// no source. Thread-safety: may be called from any thread. Takes a lock of the process.
TINE_API void request_look(worker_ref at) noexcept;

/// Each worker of the pool that runs a task calls `look` soon, at its next fork or chunk; those that sleep sleep on.
TINE_API void request_looks(pool& of) noexcept;

}  // namespace tine::sched
