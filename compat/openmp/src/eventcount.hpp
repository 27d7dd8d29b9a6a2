// An eventcount: strands and threads sleep in it until a condition on atomic variables is met. A thread that makes the
// condition true calls `wake` afterwards; that costs a fence and a load while there are no sleepers. Any thread may
// call all functions.
//
// *No wake-up is lost.* A sleeper counts itself, and then reads the condition; a waker writes the condition, and then
// reads the count. There is a fence between the two steps of each, so one of them sees the other: either the waker
// finds a sleeper, or the sleeper finds the condition met. From that read to the sleep, the lock or the number of
// wake-ups makes sure that a waker comes before or after both.
#pragma once

#include "atomic.hpp"

#include <tine/sync/condition_variable.hpp>
#include <tine/sync/mutex.hpp>

#include <mutex>

namespace tine::openmp {

class eventcount {
 public:
  /// Suspends the strand, so its worker runs others meanwhile. Outside of pools it blocks the thread.
  template <class Condition>
  void suspend_until(Condition is_met) noexcept {
    std::unique_lock guard{lock_};
    announce();
    while (!is_met()) changed_.wait(guard);
    leave();
  }

  /// Blocks the native thread, which runs nothing else meanwhile.
  template <class Condition>
  void block_until(Condition is_met) noexcept {
    announce();
    for (;;) {
      const unsigned seen = wakes_.load(std::memory_order_acquire);  // pairs with the fence in `wake`
      if (is_met()) break;
      wakes_.wait(seen, std::memory_order_relaxed);  // relaxed: the load above looks again
    }
    leave();
  }

  /// Wakes all sleepers, to look at their conditions.
  void wake() noexcept {
    fence(std::memory_order_seq_cst);                                     // pairs with that in `announce`
    if (sleepers_.load(std::memory_order_relaxed) != 0) wake_sleepers();  // relaxed: the fence orders it
  }

 private:
  void announce() noexcept {
    sleepers_.fetch_add(1, std::memory_order_relaxed);  // relaxed: the fence orders it
    fence(std::memory_order_seq_cst);                   // pairs with that in `wake`
  }
  void leave() noexcept {
    sleepers_.fetch_sub(1, std::memory_order_relaxed);  // relaxed: one wake too many is harmless
  }

  [[gnu::noinline, gnu::cold]] void wake_sleepers() noexcept {
    wakes_.fetch_add(1, std::memory_order_relaxed);  // relaxed: the fence in `wake` publishes the condition
    wakes_.notify_all();
    const std::lock_guard guard{lock_};
    changed_.notify_all();
  }

  atomic<unsigned> sleepers_{0};
  atomic<unsigned> wakes_{0};
  tine::mutex lock_;
  tine::condition_variable changed_;
};

}  // namespace tine::openmp
