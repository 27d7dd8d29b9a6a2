// errno of the calling thread. glibc declares the function that returns its address const, so a compiler may keep the
// address over a switch of fibers, after which we may be on another thread. These functions are out of line, so each
// call asks anew.
#pragma once

#include <tine/detail/base/macros.hpp>

#include <cerrno>

namespace tine::base {

TINE_NOINLINE inline int thread_errno() noexcept { return errno; }

TINE_NOINLINE inline void set_thread_errno(int value) noexcept { errno = value; }

/// A slow path in the middle of user code leaves errno as it was, also if its end runs on another thread.
class kept_errno {
 public:
  kept_errno() noexcept : value_{thread_errno()} {}
  ~kept_errno() { set_thread_errno(value_); }
  kept_errno(const kept_errno&) = delete;
  kept_errno& operator=(const kept_errno&) = delete;

 private:
  const int value_;
};

}  // namespace tine::base
