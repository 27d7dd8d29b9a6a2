// The demand: the number of idle workers that no owner has served yet, that is, idle thieves minus queued tasks, in one
// word. Because it counts all queued tasks of the pool, many busy workers do not all promote for the same idle worker.
#pragma once

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/cache_line.hpp>

namespace tine::sched {

class alignas(base::cache_line) demand {
 public:
  /// A thief begins to look for work. It calls this before it posts any work request.
  void raise() noexcept {
    // pairs with the loads in claim and unmet; an owner that acknowledges the thief's later request sees it through
    // that request, an owner that is about to sleep or to set its limit sees it through the total order
    unmet_.fetch_add(1, base::seq_cst);
  }
  /// A thief leaves without work. (A thief that leaves with a stolen task lowers the number of queued tasks and the
  /// number of idle thieves: the difference stays.)
  void lower() noexcept {
    // relaxed: a value that is too high for a moment costs one promotion, which its owner reclaims
    unmet_.fetch_sub(1, base::relaxed);
  }

  /// An owner is about to queue a task for one idle worker. Returns false if there is none left to serve.
  bool claim() noexcept {
    // pairs with unclaim in the total order: the request that brought this owner here publishes what its thief had
    // counted, and what other owners had unclaimed before that
    int seen = unmet_.load(base::seq_cst);
    while (seen > 0) {
      // release pairs with the change in raise: a thief that comes after this claim also posts its request after this
      // owner has acknowledged the last one
      if (unmet_.compare_exchange_strong(seen, seen - 1, base::release, base::relaxed)) return true;
    }
    return false;
  }
  /// An owner queues a task, even if no worker is idle.
  void force() noexcept { unmet_.fetch_sub(1, base::relaxed); }
  /// An owner reclaimed its queued task, or did not queue it after all.
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
