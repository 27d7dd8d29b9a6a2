// The heartbeat of one worker: a timer of the kernel that signals the worker's thread while it runs tasks.
#pragma once

#include <ctime>

namespace tine::sched {

/// Belongs to the worker's thread; the signal handler on that thread may call `rest`.
class beat_timer {
 public:
  /// Starts to beat, unless it beats already, with that signal and that period. If the kernel has no timer left, the
  /// worker promotes at polls only.
  void start(int signal, double period_us) noexcept;
  /// Stops beating until the next start; keeps the timer.
  void rest() noexcept;
  /// Deletes the timer: it belongs to one thread, and the worker leaves this thread.
  void stop() noexcept;

 private:
  enum class state : unsigned char { none, resting, beating };
  timer_t timer_{};
  state state_ = state::none;
};

}  // namespace tine::sched
