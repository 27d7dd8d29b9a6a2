// sleeping_rw_mutex: the mutex behind rw_mutex and queuing_rw_mutex. Any thread may lock it.
#pragma once

#include <oneapi/tbb/tine/isolation.hpp>

#include <tine/sync/shared_mutex.hpp>

namespace tbb {
namespace detail {
namespace on_tine {

/// `tine::shared_mutex` with the functions that scoped_rw_lock_of needs. A thread that waits sleeps, and runs
/// nothing else.
class sleeping_rw_mutex {
 public:
  sleeping_rw_mutex() noexcept = default;
  sleeping_rw_mutex(const sleeping_rw_mutex&) = delete;
  sleeping_rw_mutex& operator=(const sleeping_rw_mutex&) = delete;

  void lock() noexcept {
    lock_on_this_thread([this] { return inner_.try_lock(); }, [this] { inner_.lock(); });
  }
  bool try_lock() noexcept { return inner_.try_lock(); }
  void unlock() noexcept { inner_.unlock(); }
  void lock_shared() noexcept {
    lock_on_this_thread([this] { return inner_.try_lock_shared(); }, [this] { inner_.lock_shared(); });
  }
  bool try_lock_shared() noexcept { return inner_.try_lock_shared(); }
  void unlock_shared() noexcept { inner_.unlock_shared(); }

  bool upgrade() noexcept {
    if (inner_.try_unlock_shared_and_lock()) return true;
    inner_.unlock_shared();
    lock();
    return false;
  }
  void downgrade() noexcept { inner_.unlock_and_lock_shared(); }

 private:
  tine::shared_mutex inner_;
};

}  // namespace on_tine
}  // namespace detail
}  // namespace tbb
