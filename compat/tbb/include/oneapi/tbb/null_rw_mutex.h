// null_rw_mutex: an argument for templates that ask for a mutex for readers and writers where none is needed. It has no
// state.
//
// oneTBB's flow graph uses it as tbb::detail::d1::null_rw_mutex, so ours has the same place and include guard.
#ifndef __TBB_null_rw_mutex_H
#define __TBB_null_rw_mutex_H

#include <oneapi/tbb/tine/split.hpp>

namespace tbb {
namespace detail {
namespace d1 {

/// A mutex for readers and writers whose functions do nothing.
class null_rw_mutex {
 public:
  constexpr null_rw_mutex() noexcept = default;
  null_rw_mutex(const null_rw_mutex&) = delete;
  null_rw_mutex& operator=(const null_rw_mutex&) = delete;

  class scoped_lock {
   public:
    constexpr scoped_lock() noexcept = default;
    explicit(false) scoped_lock(null_rw_mutex&, bool = true) noexcept {}
    ~scoped_lock() {}  // not trivial: otherwise compilers warn of an unused variable
    scoped_lock(const scoped_lock&) = delete;
    scoped_lock& operator=(const scoped_lock&) = delete;
    void acquire(null_rw_mutex&, bool = true) noexcept {}
    bool try_acquire(null_rw_mutex&, bool = true) noexcept { return true; }
    void release() noexcept {}
    bool upgrade_to_writer() noexcept { return true; }
    bool downgrade_to_reader() noexcept { return true; }
    bool is_writer() const noexcept { return true; }
  };

  static constexpr bool is_rw_mutex = true;
  static constexpr bool is_recursive_mutex = true;
  static constexpr bool is_fair_mutex = true;

  void lock() noexcept {}
  bool try_lock() noexcept { return true; }
  void unlock() noexcept {}
  void lock_shared() noexcept {}
  bool try_lock_shared() noexcept { return true; }
  void unlock_shared() noexcept {}
};

}  // namespace d1
}  // namespace detail

inline namespace v1 {
using detail::d1::null_rw_mutex;
}
}  // namespace tbb

#endif
