// OpenMP's locks. The program allocates libgomp's 4 or 16 bytes, so a lock is only a word. Threads that wait sleep in a
// queue of a table; the address of the lock selects it. Any thread may use a lock, and one that waits on a worker
// suspends its strand.
#pragma once

#include <atomic>
#include <cstdint>

namespace tine::openmp {

/// 0: free; 1: locked; 2: locked, and another thread may wait. All zero is a lock that has been initialised.
struct word_lock {
  std::atomic<int> word;

  bool try_acquire() noexcept {
    int expected = 0;
    // acquire pairs with the release in `release`
    return word.compare_exchange_strong(expected, 1, std::memory_order_acquire, std::memory_order_relaxed);
  }
  void acquire() noexcept {
    if (!try_acquire()) wait();
  }
  /// Returns false, and does nothing, if the lock is free.
  bool release() noexcept {
    const int before = word.exchange(0, std::memory_order_release);  // pairs with the acquires
    if (before == 2) wake();
    return before != 0;
  }

 private:
  void wait() noexcept;
  void wake() noexcept;
};

/// A nested lock belongs to the task that has locked it.
struct nested_lock {
  word_lock lock;
  int count;
  std::atomic<const void*> owner;
};

static_assert(sizeof(word_lock) == 4 && sizeof(nested_lock) == 16);

}  // namespace tine::openmp
