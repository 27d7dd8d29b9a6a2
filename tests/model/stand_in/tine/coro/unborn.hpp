// Late members, in place of the product's: Relacy watches them for races, and for uses before their birth and after their end.
#pragma once

#include "model/prelude.hpp"

#include <exception>
#include <new>
#include <type_traits>
#include <utility>

namespace tine::detail {

/// Its birth counts as a write, and every use as a read. The product may begin an object again that needs no end. That makes
/// another object, and late uses of the old one race with the new birth.
template <class T>
class unborn {
  using where = std::source_location;

 public:
  unborn() noexcept {}
  ~unborn() {
    model::claim(!lives_ || !must_end, "something that must be ended was not");
    if (lives_) value_.~T();
  }
  unborn(const unborn&) = delete;
  unborn& operator=(const unborn&) = delete;

  template <class... Args>
  T& begin(Args&&... args) noexcept {
    model::claim(!lives_ || !must_end, "something that must be ended begins again");
    if (lives_) value_.~T();
    lives_ = true;
    births_.set(1);
    return *::new (static_cast<void*>(&value_)) T(std::forward<Args>(args)...);
  }
  T& operator*() noexcept { return used(); }
  const T& operator*() const noexcept { return const_cast<unborn*>(this)->used(); }
  T* operator->() noexcept { return &used(); }
  const T* operator->() const noexcept { return &const_cast<unborn*>(this)->used(); }
  void end() noexcept {
    used().~T();
    births_.set(0);
    lives_ = false;
  }

 private:
  static constexpr bool must_end = std::is_same_v<T, std::exception_ptr>;

  T& used() noexcept {
    model::claim(births_.get() == 1, "something was used after its end");
    return value_;
  }

  model::watched<int> births_;
  bool lives_ = false;
  union {
    T value_;
  };
};

/// A variable that is used like a plain one, and that Relacy watches for races.
template <class T>
class handed_on {
 public:
  handed_on() = default;
  handed_on(const handed_on&) = delete;
  handed_on& operator=(const handed_on&) = delete;
  operator T() const noexcept { return value_.get(); }
  T operator->() const noexcept { return value_.get(); }
  handed_on& operator=(T value) noexcept {
    value_.set(value);
    return *this;
  }
  handed_on& operator++() noexcept {
    value_.set(value_.get() + 1);
    return *this;
  }

 private:
  model::watched<T> value_;
};

}  // namespace tine::detail
