// The heartbeat of one worker: a timer of the kernel's that signals its thread while it runs tasks.
#pragma once

#include <tine/sched/options.hpp>

#include <ctime>

namespace tine::sched {

/// Belongs to the worker's thread; `stop` is also for the signal handler on it.
class beat_timer {
 public:
  /// Begins to beat, if it does not yet. If the kernel has no timer left, the worker promotes at polls only.
  void start(const options& settings) noexcept;
  /// Rests until the next start; keeps the timer.
  void rest() noexcept;
  /// Gives the timer back: it belongs to one thread, and the worker leaves its thread.
  void stop() noexcept;

 private:
  enum class state : unsigned char { none, resting, beating };
  timer_t timer_{};
  state state_ = state::none;
};

}  // namespace tine::sched
