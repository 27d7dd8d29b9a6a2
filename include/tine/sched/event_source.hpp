// Event sources: code of another library that the workers of a pool call between tasks, for events that no thread
// announces.
#pragma once

#include <tine/base/ticks.hpp>
#include <tine/detail/base/macros.hpp>
#include <tine/sched/pool.hpp>

namespace tine::sched {

/// Code that the workers of a pool call between tasks, because its events come without a thread that announces them: a
/// message, the end of a transfer, a completion in a ring buffer. A task that waits for such an event is resumed by the
/// source (`tine::resumption`).
///
/// A worker calls `look`
///
/// - in each round in which it looks for work, and as long as `is_open` returns true there, it does not sleep;
/// - at its next fork, or chunk of a loop, after `request_look`; and while `is_open` returns true, about every
///   millisecond besides, at the first fork or chunk after that time (by the pool's signal, so not with
///   `options::interrupt = false`).
///
/// A program without a source executes no instruction for it at a fork. Thread-safety: any workers may call both
/// functions at once.
class event_source {
 public:
  /// The begin of a call of `look`.
  enum class moment : unsigned char {
    idle,  ///< the worker looks for work
    busy,  ///< the worker is at a fork or a chunk of a loop, on the strand that runs there
  };

  /// Looks for events. It may resume tasks, and must not fork, wait, or throw; nor may it expect much of the strand's
  /// stack: there are 32 KiB at least.
  virtual void look(moment when) noexcept = 0;
  /// Returns true if the calling worker has to look again soon.
  virtual bool is_open() const noexcept = 0;

 protected:
  event_source() = default;
  event_source(const event_source&) = default;
  event_source& operator=(const event_source&) = default;
  ~event_source() = default;
};

/// The calling worker calls `look` of the source of its pool now, unless it has done so, while it was busy, within the
/// last `gap` ticks. Meant for code that reads the clock anyway, or that runs many short pieces: it needs no signal.
/// Does nothing outside every pool, and without a source.
TINE_API void look_if_due(base::ticks gap) noexcept;

/// The worker calls `look` of the source of its pool soon: at its next fork or chunk, or, if it sleeps, now. Does
/// nothing if there is no source. Thread-safety: may be called from any thread. Takes a lock of the process.
TINE_API void request_look(worker_ref at) noexcept;

/// Each worker of the pool that runs a task calls `look` soon, at its next fork or chunk; those that sleep sleep on.
TINE_API void request_looks(pool& of) noexcept;

}  // namespace tine::sched
