// Looking at another worker's hot words. They are thread-locals of a thread that may leave the pool and end, so a
// visitor announces itself, and a leaving worker waits until nobody visits it (worker::be_unvisited).
#pragma once

#include "sched/worker.hpp"

namespace tine::sched {

class visit {
 public:
  /// `visitor`: where the visitor says whom it visits; a worker's own, or the pool's for those who are none.
  visit(base::atomic<worker*>& visitor, worker& host) noexcept : visitor_{visitor} {
    // pairs with the load of visiting in be_unvisited: a host that does not see us has stopped being busy before
    visitor_.store(&host, base::seq_cst);
    // pairs with the store of busy in be_unvisited
    allowed_ = host.busy.load(base::seq_cst);
  }
  ~visit() {
    // pairs with the load of visiting in be_unvisited, so that our last look happens before the host leaves
    visitor_.store(nullptr, base::release);
  }
  visit(const visit&) = delete;
  visit& operator=(const visit&) = delete;

  /// Whether the host was busy, and so its words and its thread may be used while the visit lasts.
  bool allowed() const noexcept { return allowed_; }

 private:
  base::atomic<worker*>& visitor_;
  bool allowed_;
};

}  // namespace tine::sched
