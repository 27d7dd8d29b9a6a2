// The mutexes behind mutex, queuing_mutex, rw_mutex and queuing_rw_mutex. A thread that waits for one sleeps. As in
// oneTBB, it runs nothing else meanwhile, because programs keep data of the thread over a wait. Any thread may lock
// them.
#pragma once

#include <oneapi/tbb/tine/isolation.hpp>

#include <tine/sync/shared_mutex.hpp>

namespace tbb {
namespace detail {
namespace on_tine {

/// `try_lock()` and `lock()` are functions of one mutex of tine, whose waiters take other work unless they are
/// isolated.
template <class TryLock, class Lock>
void lock_on_this_thread(TryLock try_lock, Lock lock) {
  if (!try_lock()) isolated(lock);
}

/// A mutex of tine.
template <class Mutex>
class sleeping_mutex {
 public:
  sleeping_mutex() noexcept = default;
  sleeping_mutex(const sleeping_mutex&) = delete;
  sleeping_mutex& operator=(const sleeping_mutex&) = delete;

  void lock() noexcept {
    lock_on_this_thread([this] { return inner_.try_lock(); }, [this] { inner_.lock(); });
  }
  bool try_lock() noexcept { return inner_.try_lock(); }
  void unlock() noexcept { inner_.unlock(); }

 protected:
  Mutex inner_;
};

/// `tine::shared_mutex` with the functions that scoped_rw_lock_of needs.
class sleeping_rw_mutex : public sleeping_mutex<tine::shared_mutex> {
 public:
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
};

}  // namespace on_tine
}  // namespace detail
}  // namespace tbb
