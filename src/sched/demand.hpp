// How many idle workers nobody has served yet: idle thieves minus queued tasks, in one word. Counting what is queued
// everywhere keeps many busy workers from all answering the one idle one.
#pragma once

#include <tine/base/atomic.hpp>
#include <tine/base/cache_line.hpp>

namespace tine::sched {

class alignas(base::cache_line) demand {
 public:
  /// A thief begins to look for work; to be called before it rings anybody.
  void raise() noexcept {
    // pairs with the loads in claim and unmet; an owner that takes the thief's later ring sees it through that ring,
    // an owner about to sleep or to arm its limit through this place in the total order
    unmet_.fetch_add(1, base::seq_cst);
  }
  /// A thief leaves without work. (One that leaves with a stolen task takes the task off the queue and itself off the
  /// idle: the difference stays.)
  void lower() noexcept {
    // relaxed: too high an answer for a moment costs a promotion that its owner takes back
    unmet_.fetch_sub(1, base::relaxed);
  }

  /// An owner is about to queue a task for one idle worker. False: there is none left to serve.
  bool claim() noexcept {
    // pairs with unclaim in the total order: the ring that brought us here carries what its thief had counted, and what
    // others had given back before that
    int seen = unmet_.load(base::seq_cst);
    while (seen > 0) {
      // release pairs with the change in raise: a thief that comes after us also rings after our answer
      if (unmet_.compare_exchange_strong(seen, seen - 1, base::release, base::relaxed)) return true;
    }
    return false;
  }
  /// An owner queues a task whether or not anybody is idle.
  void force() noexcept { unmet_.fetch_sub(1, base::relaxed); }
  /// An owner took its queued task back, or did not queue it after all.
  void unclaim() noexcept {
    // pairs with the load in claim
    unmet_.fetch_add(1, base::seq_cst);
  }

  int unmet() const noexcept {
    // pairs with raise, in the total order of the sleep protocol (src/sched/README.md)
    return unmet_.load(base::seq_cst);
  }

 private:
  base::atomic<int> unmet_{0};
};

}  // namespace tine::sched
