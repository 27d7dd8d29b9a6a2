// Visits: the protocol for access to another worker's hot words. They are thread-locals of a thread that may leave the
// pool and end, so a visitor announces itself, and a leaving worker waits until no thread visits it
// (worker::be_unvisited).
#pragma once

#include "sched/worker.hpp"

namespace tine::sched {

class visit {
 public:
  /// `visitor`: the word in which the visitor announces the worker that it visits. A thief uses the word of its own
  /// worker; a thread that raises an alert uses the word of the pool.
  visit(base::atomic<worker*>& visitor, worker& host) noexcept : visitor_{visitor} {
    // pairs with the load of visiting in be_unvisited: a host that does not see the visitor has stopped being busy
    // before
    visitor_.store(&host, base::seq_cst);
    // pairs with the store of busy in be_unvisited
    allowed_ = host.busy.load(base::seq_cst);
  }
  ~visit() {
    // pairs with the load of visiting in be_unvisited, so that the visitor's last look happens before the host leaves
    visitor_.store(nullptr, base::release);
  }
  visit(const visit&) = delete;
  visit& operator=(const visit&) = delete;

  /// Returns true if the host was busy: its words and its thread may be used while the visit lasts.
  bool allowed() const noexcept { return allowed_; }

 private:
  base::atomic<worker*>& visitor_;
  bool allowed_;
};

}  // namespace tine::sched
