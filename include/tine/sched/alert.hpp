// An alert: from its raising on, every fork of a pool's workers takes its slow path, so that a front end can look at
// something there that costs nothing before.
#pragma once

namespace tine::sched {

struct pool_state;

class alert {
 public:
  /// For the pool of the calling worker. Silent at first.
  alert() noexcept;
  /// The forks are fast again, unless there is another alert.
  ~alert();
  alert(const alert&) = delete;
  alert& operator=(const alert&) = delete;

  /// Any thread, once: rings every doorbell, and keeps them rung.
  void raise() noexcept;

 private:
  pool_state& pool_;
  bool raised_ = false;
};

}  // namespace tine::sched
