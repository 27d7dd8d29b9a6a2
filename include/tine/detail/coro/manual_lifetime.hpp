// Members that are initialised late, and plain members that one thread hands to the next. The models replace both by
// members that check this.
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

/// A plain variable that several threads use one after the other. It needs no memory order of its own, because each
/// thread hands it to the next by other means.
template <class T>
using handed_on = T;

}  // namespace tine::detail
