// mutex: for sections of any length. Any thread may lock it.
#pragma once

#include <oneapi/tbb/tine/isolation.hpp>
#include <oneapi/tbb/tine/scoped_locks.hpp>
#include <oneapi/tbb/tine/split.hpp>

#include <tine/sync/mutex.hpp>

namespace tbb {
namespace detail {
namespace on_tine {

/// `tine::mutex` with oneTBB's names. A thread that waits sleeps, and runs nothing else.
class mutex {
 public:
  mutex() noexcept = default;
  mutex(const mutex&) = delete;
  mutex& operator=(const mutex&) = delete;

  using scoped_lock = scoped_lock_of<mutex>;
  static constexpr bool is_rw_mutex = false;
  static constexpr bool is_recursive_mutex = false;
  static constexpr bool is_fair_mutex = false;

  void lock() noexcept {
    lock_on_this_thread([this] { return inner_.try_lock(); }, [this] { inner_.lock(); });
  }
  bool try_lock() noexcept { return inner_.try_lock(); }
  void unlock() noexcept { inner_.unlock(); }

 private:
  tine::mutex inner_;
};

}  // namespace on_tine
}  // namespace detail

inline namespace v1 {
using detail::on_tine::mutex;
}
}  // namespace tbb
