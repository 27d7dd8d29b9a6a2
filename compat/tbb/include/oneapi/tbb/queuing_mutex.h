// queuing_mutex: a mutex that its waiters get in the order of their arrival. Any thread may lock it.
#pragma once

#include <oneapi/tbb/tine/isolation.hpp>
#include <oneapi/tbb/tine/scoped_locks.hpp>
#include <oneapi/tbb/tine/split.hpp>

#include <tine/sync/timed_mutex.hpp>

namespace tbb {
namespace detail {
namespace on_tine {

/// `tine::timed_mutex`, which is handed off directly, with oneTBB's names.
class queuing_mutex {
 public:
  queuing_mutex() noexcept = default;
  queuing_mutex(const queuing_mutex&) = delete;
  queuing_mutex& operator=(const queuing_mutex&) = delete;

  using scoped_lock = scoped_lock_of<queuing_mutex>;
  static constexpr bool is_rw_mutex = false;
  static constexpr bool is_recursive_mutex = false;
  static constexpr bool is_fair_mutex = true;

 private:
  friend scoped_lock;
  void lock() noexcept {
    lock_on_this_thread([this] { return inner_.try_lock(); }, [this] { inner_.lock(); });
  }
  bool try_lock() noexcept { return inner_.try_lock(); }
  void unlock() noexcept { inner_.unlock(); }

  tine::timed_mutex inner_;
};

}  // namespace on_tine
}  // namespace detail

inline namespace v1 {
using detail::on_tine::queuing_mutex;
}
}  // namespace tbb
