// Members that are initialised late, and plain members that change hands. The models replace them by members that they
// check.
#pragma once

#include <tine/detail/base/macros.hpp>

#include <new>
#include <utility>

namespace tine::detail {

/// Storage for an object that does not exist from the start.
template <class T>
class manual_lifetime {
 public:
  manual_lifetime() noexcept {}
  ~manual_lifetime() {}
  manual_lifetime(const manual_lifetime&) = delete;
  manual_lifetime& operator=(const manual_lifetime&) = delete;

  template <class... Args>
  TINE_ALWAYS_INLINE T& begin(Args&&... args) noexcept {
    return *::new (static_cast<void*>(&value_)) T(std::forward<Args>(args)...);
  }
  T& operator*() noexcept { return value_; }
  const T& operator*() const noexcept { return value_; }
  T* operator->() noexcept { return &value_; }
  const T* operator->() const noexcept { return &value_; }
  void end() noexcept { value_.~T(); }

 private:
  union {
    T value_;
  };
};

/// A variable that has no memory order of its own, although several threads use it: each thread hands it on to the
/// next.
template <class T>
using handed_on = T;

}  // namespace tine::detail
