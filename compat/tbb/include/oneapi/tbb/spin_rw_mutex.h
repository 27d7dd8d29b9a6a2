// spin_rw_mutex and speculative_spin_rw_mutex: mutexes of one word for readers and writers, for sections of a few
// instructions. Any thread may lock them.
//
// oneTBB's concurrent_hash_map has members of type tbb::detail::d1::spin_rw_mutex, and parts of a program may see its
// header instead of this one. So ours has the same place, include guard, state and protocol.
#ifndef __TBB_spin_rw_mutex_H
#define __TBB_spin_rw_mutex_H

#include <oneapi/tbb/tine/scoped_locks.hpp>
#include <oneapi/tbb/tine/spin_wait.hpp>
#include <oneapi/tbb/tine/split.hpp>

#include <atomic>
#include <cstdint>

namespace tbb {
namespace detail {
namespace d1 {

/// A mutex for readers and writers whose waiters spin. A reader doesn't enter while a writer waits.
class spin_rw_mutex {
 public:
  spin_rw_mutex() noexcept = default;
  spin_rw_mutex(const spin_rw_mutex&) = delete;
  spin_rw_mutex& operator=(const spin_rw_mutex&) = delete;

  using scoped_lock = on_tine::scoped_rw_lock_of<spin_rw_mutex>;
  static constexpr bool is_rw_mutex = true;
  static constexpr bool is_recursive_mutex = false;
  static constexpr bool is_fair_mutex = false;

  void lock() noexcept {
    for (on_tine::spin_wait turns; !try_lock(); turns.once()) {
      // relaxed, both: a hint to readers, which orders nothing
      if ((state_.load(std::memory_order_relaxed) & wanted) == 0) state_.fetch_or(wanted, std::memory_order_relaxed);
    }
  }
  bool try_lock() noexcept {
    word now = state_.load(std::memory_order_relaxed);  // relaxed: the compare-and-swap checks it
    // acquire pairs with the releases in unlock, unlock_shared and downgrade. The change takes the hint of other
    // writers away, and each of them gives it again
    return (now & ~wanted) == 0 &&
           state_.compare_exchange_strong(now, writer, std::memory_order_acquire, std::memory_order_relaxed);
  }
  // release pairs with the acquires in try_lock and try_lock_shared. A reader that has counted itself in vain stays
  // counted until it takes that back
  void unlock() noexcept { state_.fetch_and(~(writer | wanted), std::memory_order_release); }

  void lock_shared() noexcept {
    for (on_tine::spin_wait turns; !try_lock_shared(); turns.once()) {
    }
  }
  bool try_lock_shared() noexcept {
    // relaxed: the addition checks it again
    if ((state_.load(std::memory_order_relaxed) & (writer | wanted)) != 0) return false;
    // acquire pairs with the release in unlock and downgrade
    if ((state_.fetch_add(reader, std::memory_order_acquire) & writer) == 0) return true;
    state_.fetch_sub(reader, std::memory_order_relaxed);  // relaxed: this thread has read nothing
    return false;
  }
  // release pairs with the acquire in try_lock and upgrade, so that a writer writes after we have read
  void unlock_shared() noexcept { state_.fetch_sub(reader, std::memory_order_release); }

  /// A reader becomes a writer. Returns false if another writer may have held the mutex in between.
  bool upgrade() noexcept {
    word now = state_.load(std::memory_order_relaxed);  // relaxed: the compare-and-swap checks it
    // A writer that waits may be another reader that upgrades, and only one of two can. acquire pairs with the release
    // in unlock_shared
    while (now / reader == 1 || (now & wanted) == 0) {
      if (!state_.compare_exchange_strong(now, now | writer | wanted, std::memory_order_acquire,
                                          std::memory_order_relaxed))
        continue;
      // acquire pairs with the release in unlock_shared of the other readers
      for (on_tine::spin_wait turns; state_.load(std::memory_order_acquire) / reader != 1; turns.once()) {
      }
      state_.fetch_sub(reader + wanted, std::memory_order_relaxed);  // relaxed: the mutex stays locked
      return true;
    }
    unlock_shared();
    lock();
    return false;
  }
  // release pairs with the acquire in try_lock_shared
  void downgrade() noexcept { state_.fetch_add(reader - writer, std::memory_order_release); }

 private:
  using word = std::intptr_t;
  static constexpr word writer = 1;
  static constexpr word wanted = 2;  ///< a writer waits
  static constexpr word reader = 4;  ///< one reader; the upper bits count them

  std::atomic<word> state_{0};
};

}  // namespace d1

namespace on_tine {

/// A spin_rw_mutex with cache lines of its own. (oneTBB runs its sections as transactions where the processor has
/// them.)
class alignas(128) speculative_spin_rw_mutex {
 public:
  using scoped_lock = scoped_rw_lock_of<speculative_spin_rw_mutex>;
  static constexpr bool is_rw_mutex = true;
  static constexpr bool is_recursive_mutex = false;
  static constexpr bool is_fair_mutex = false;

  void lock() noexcept { inner_.lock(); }
  bool try_lock() noexcept { return inner_.try_lock(); }
  void unlock() noexcept { inner_.unlock(); }
  void lock_shared() noexcept { inner_.lock_shared(); }
  bool try_lock_shared() noexcept { return inner_.try_lock_shared(); }
  void unlock_shared() noexcept { inner_.unlock_shared(); }
  bool upgrade() noexcept { return inner_.upgrade(); }
  void downgrade() noexcept { inner_.downgrade(); }

 private:
  d1::spin_rw_mutex inner_;
};

}  // namespace on_tine
}  // namespace detail

inline namespace v1 {
using detail::d1::spin_rw_mutex;
using detail::on_tine::speculative_spin_rw_mutex;
}  // namespace v1
}  // namespace tbb

#endif
