// The demand: the number of idle workers that no owner has served yet, that is, idle thieves minus queued tasks, in one
// word. Because it counts all queued tasks of the pool, many busy workers do not all promote for the same idle worker.
#pragma once

#include <tine/base/atomic.hpp>
#include <tine/base/cache_line.hpp>

namespace tine::sched {

class alignas(base::cache_line) demand {
 public:
  /// A thief begins to look for work. It calls this before it rings any worker.
  void raise() noexcept {
    // pairs with the loads in claim and unmet; an owner that takes the thief's later ring sees it through that ring, an
    // owner that is about to sleep or to arm its limit sees it through the total order
    unmet_.fetch_add(1, base::seq_cst);
  }
  /// A thief leaves without work. (A thief that leaves with a stolen task lowers the number of queued tasks and the
  /// number of idle thieves: the difference stays.)
  void lower() noexcept {
    // relaxed: a value that is too high for a moment costs one promotion, which its owner takes back
    unmet_.fetch_sub(1, base::relaxed);
  }

  /// An owner is about to queue a task for one idle worker. Returns false if there is none left to serve.
  bool claim() noexcept {
    // pairs with unclaim in the total order: the ring that brought this owner here carries what its thief had counted,
    // and what other owners had given back before that
    int seen = unmet_.load(base::seq_cst);
    while (seen > 0) {
      // release pairs with the change in raise: a thief that comes after this claim also rings after this owner's
      // answer
      if (unmet_.compare_exchange_strong(seen, seen - 1, base::release, base::relaxed)) return true;
    }
    return false;
  }
  /// An owner queues a task, even if no worker is idle.
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
