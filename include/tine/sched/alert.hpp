// An alert: while one is raised, every strand that is to stop (scope.hpp) takes the slow path at each of its forks and chunks.
// Other strands take it once.
#pragma once

namespace tine::sched {

class alert {
 public:
  alert() noexcept = default;  ///< silent at first
  ~alert();
  alert(const alert&) = delete;
  alert& operator=(const alert&) = delete;

  /// Any thread, once, after the flag of a scope was set: rings every worker of every pool, because scopes reach into pools that
  /// are entered from inside.
  void raise() noexcept;

 private:
  bool raised_ = false;
};

/// The same without an object: for an alert that one thread raises and another one ends.
void raise_alert() noexcept;
void end_alert() noexcept;

}  // namespace tine::sched
