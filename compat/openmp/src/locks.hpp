// OpenMP's locks. The program allocates 4 bytes for a lock of libgomp, and 8 for one of libomp. So a lock is only a
// word, and a nested lock is the address of an object. Threads that wait sleep in a queue of a table; the address of
// the lock selects it. Any thread may use a lock, and one that waits on a worker suspends its strand.
#pragma once

#include "eventcount.hpp"

#include <tine/race/team.hpp>

#include <atomic>

namespace tine::openmp {

/// 0: free; 1: locked; 2: locked, and another thread may wait. All zero is a lock that has been initialised.
struct word_lock {
  atomic<int> word;

  bool try_acquire() noexcept {
    if (!take()) return false;
    if (tine_race_note_lock != nullptr) tine_race_note_lock(this, 0);
    return true;
  }
  void acquire() noexcept {
    if (!try_acquire()) wait();
  }
  /// Returns false, and does nothing, if the lock is free.
  bool release() noexcept {
    if (tine_race_note_unlock != nullptr) tine_race_note_unlock(this);
    const int before = word.exchange(0, std::memory_order_release);  // pairs with the acquires
    if (before == 2) wake();
    if (tine_race_note_unlocked != nullptr) tine_race_note_unlocked();
    return before != 0;
  }

 private:
  bool take() noexcept {
    int expected = 0;
    // acquire pairs with the release in `release`
    return word.compare_exchange_strong(expected, 1, std::memory_order_acquire, std::memory_order_relaxed);
  }
  void wait() noexcept;
  void wake() noexcept;

  /// The word is 2 as long as a thread may sleep.
  void wait_in(eventcount& queue, bool blocks) noexcept {
    const auto is_mine = [this] { return word.exchange(2, std::memory_order_acquire) == 0; };  // pairs with `release`
    blocks ? queue.block_until(is_mine) : queue.suspend_until(is_mine);
  }
};

/// A nested lock belongs to the task that has locked it.
struct nested_lock {
  word_lock lock{0};
  int count = 0;
  std::atomic<const void*> owner{nullptr};
};

/// The program's variable. All zero is a nested lock that has been initialised.
struct nested_lock_variable {
  std::atomic<nested_lock*> made;
};

}  // namespace tine::openmp
