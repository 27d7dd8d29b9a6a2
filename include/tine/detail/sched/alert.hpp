// Alerts. While an alert is raised, every strand that is to stop (scope.hpp) takes the slow path at each of its forks
// and chunks. Other strands take it once. Any thread may raise one.
#pragma once

#include <tine/detail/base/macros.hpp>

namespace tine::sched {

class alert {
 public:
  alert() noexcept = default;  ///< not raised at first
  ~alert() {
    if (raised_) end();
  }
  alert(const alert&) = delete;
  alert& operator=(const alert&) = delete;

  /// Raises the alert: posts a work request to every busy worker of every pool, because scopes reach into pools that
  /// are entered from inside. Any thread may call it, once before the next `end`, after it has set the flag of a scope.
  TINE_API void raise() noexcept;
  /// Ends the alert, which may then be raised again. No other thread may use it meanwhile.
  TINE_API void end() noexcept;

 private:
  bool raised_ = false;
};

/// Raise and end an alert without an object, for an alert that one thread raises and another thread ends.
void raise_alert() noexcept;
void end_alert() noexcept;

}  // namespace tine::sched
