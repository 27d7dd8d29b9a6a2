// null_mutex: an argument for templates that ask for a mutex where none is needed. It has no state.
//
// oneTBB's flow graph uses it as tbb::detail::d1::null_mutex, so ours has the same place and include guard.
#ifndef __TBB_null_mutex_H
#define __TBB_null_mutex_H

#include <oneapi/tbb/tine/split.hpp>

namespace tbb {
namespace detail {
namespace d1 {

/// A mutex whose functions do nothing.
class null_mutex {
 public:
  constexpr null_mutex() noexcept = default;
  null_mutex(const null_mutex&) = delete;
  null_mutex& operator=(const null_mutex&) = delete;

  class scoped_lock {
   public:
    constexpr scoped_lock() noexcept = default;
    explicit(false) scoped_lock(null_mutex&) noexcept {}
    ~scoped_lock() {}  // not trivial: otherwise compilers warn of an unused variable
    scoped_lock(const scoped_lock&) = delete;
    scoped_lock& operator=(const scoped_lock&) = delete;
    void acquire(null_mutex&) noexcept {}
    bool try_acquire(null_mutex&) noexcept { return true; }
    void release() noexcept {}
  };

  static constexpr bool is_rw_mutex = false;
  static constexpr bool is_recursive_mutex = true;
  static constexpr bool is_fair_mutex = true;

  void lock() noexcept {}
  bool try_lock() noexcept { return true; }
  void unlock() noexcept {}
};

}  // namespace d1
}  // namespace detail

inline namespace v1 {
using detail::d1::null_mutex;
}
}  // namespace tbb

#endif
