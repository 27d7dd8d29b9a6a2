// spin_mutex and speculative_spin_mutex: mutexes of one byte, for sections of a few instructions. Any thread may lock
// them.
//
// oneTBB's containers have members of type tbb::detail::d1::spin_mutex, and parts of a program may see its header
// instead of this one. So ours has the same place, include guard, state and protocol. Its waiters spin; to hold a mutex
// for longer, take `tbb::mutex`, whose waiters sleep.
#ifndef __TBB_spin_mutex_H
#define __TBB_spin_mutex_H

#include <oneapi/tbb/tine/scoped_locks.hpp>
#include <oneapi/tbb/tine/spin_wait.hpp>
#include <oneapi/tbb/tine/split.hpp>

#include <atomic>

namespace tbb {
namespace detail {
namespace d1 {

/// A mutex whose waiters spin, in no order.
class spin_mutex {
 public:
  spin_mutex() noexcept = default;
  spin_mutex(const spin_mutex&) = delete;
  spin_mutex& operator=(const spin_mutex&) = delete;

  using scoped_lock = on_tine::scoped_lock_of<spin_mutex>;
  static constexpr bool is_rw_mutex = false;
  static constexpr bool is_recursive_mutex = false;
  static constexpr bool is_fair_mutex = false;

  void lock() noexcept {
    on_tine::spin_wait turns;
    while (!try_lock()) turns.once();
  }
  bool try_lock() noexcept {
    // relaxed: the exchange decides. acquire pairs with the release in unlock, so that we see what the last holder
    // wrote
    return !locked_.load(std::memory_order_relaxed) && !locked_.exchange(true, std::memory_order_acquire);
  }
  // release pairs with the acquire in try_lock
  void unlock() noexcept { locked_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> locked_{false};
};

}  // namespace d1

namespace on_tine {

/// A spin_mutex with cache lines of its own. (oneTBB runs its sections as transactions where the processor has them.)
class alignas(128) speculative_spin_mutex {
 public:
  using scoped_lock = scoped_lock_of<speculative_spin_mutex>;
  static constexpr bool is_rw_mutex = false;
  static constexpr bool is_recursive_mutex = false;
  static constexpr bool is_fair_mutex = false;

  void lock() noexcept { inner_.lock(); }
  bool try_lock() noexcept { return inner_.try_lock(); }
  void unlock() noexcept { inner_.unlock(); }

 private:
  d1::spin_mutex inner_;
};

}  // namespace on_tine
}  // namespace detail

inline namespace v1 {
using detail::d1::spin_mutex;
using detail::on_tine::speculative_spin_mutex;
}  // namespace v1
}  // namespace tbb

#endif
