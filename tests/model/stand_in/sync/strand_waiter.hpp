// The wait of a thread at a lock, in place of the product's: a wait and its end order what `sched::external_wait`
// orders, and no more. A thread that nothing wakes is a deadlock, which Relacy reports.
#pragma once

#include "model/exploration.hpp"

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/sync/lock_waiter.hpp>

namespace tine::detail {

class modelled_wait {
 public:
  void wait() noexcept {
    // a change reads the newest value, so that a thread does not sleep after its wait has ended
    while (has_ended_.fetch_add(0, base::acquire) == 0) {
      sleeps_ = true;
      rl::ctx().park_current_thread(false, false, false, RL_INFO);
    }
  }
  static bool blocks() noexcept { return false; }
  static bool wait_until(std::int64_t) noexcept { return true; }
  void end() noexcept {
    has_ended_.store(1, base::release);
    // no step of another thread lies between the store and these lines
    if (sleeps_) rl::ctx().unpark_thread(thread_, false, RL_INFO);
  }

 private:
  base::atomic<int> has_ended_{0};
  bool sleeps_ = false;
  const rl::thread_id_t thread_ = static_cast<rl::thread_id_t>(rl::thread_index());
};

struct strand_waiter : lock_waiter {
  explicit strand_waiter(bool reads = false, bool = false) noexcept {
    wake = [](lock_waiter& w) noexcept { static_cast<strand_waiter&>(w).granted.end(); };
    is_shared = reads;
  }
  modelled_wait granted;
};

}  // namespace tine::detail
