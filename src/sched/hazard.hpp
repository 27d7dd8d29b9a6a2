// Hazards: the protocol for access to another worker's hot words and thread. The hot words are thread-locals of a
// thread that may leave the pool and end, so a holder publishes a hazard on the worker before it reads them, and a
// leaving worker waits until no thread holds a hazard on it (worker::wait_for_hazards). The protocol is that of hazard
// pointers (Michael 2004).
#pragma once

#include "sched/worker.hpp"

namespace tine::sched {

class hazard {
 public:
  /// `slot`: the word in which the holder publishes the protected worker. A thief uses the word of its own worker; a
  /// thread that raises an alert uses the word of the pool.
  hazard(base::atomic<worker*>& slot, worker& target) noexcept : slot_{slot} {
    // pairs with the load of protected_worker in wait_for_hazards: a target that does not see the hazard has stopped
    // being busy before
    slot_.store(&target, base::seq_cst);
    // pairs with the store of busy in wait_for_hazards
    allowed_ = target.busy.load(base::seq_cst);
  }
  ~hazard() {
    // pairs with the load of protected_worker in wait_for_hazards, so that the holder's last access happens before the
    // target leaves
    slot_.store(nullptr, base::release);
  }
  hazard(const hazard&) = delete;
  hazard& operator=(const hazard&) = delete;

  /// Returns true if the target was busy: its words and its thread may be used while the hazard is held.
  bool allowed() const noexcept { return allowed_; }

 private:
  base::atomic<worker*>& slot_;
  bool allowed_;
};

}  // namespace tine::sched
