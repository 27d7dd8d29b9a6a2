// Members of manual lifetime, in place of the product's: Relacy checks them for races, and for uses before their begin
// and after their end.
#pragma once

#include "model/exploration.hpp"

#include <exception>
#include <new>
#include <type_traits>
#include <utility>

namespace tine::detail {

/// Its begin counts as a write, and every use as a read. The product may begin an object again that needs no end. That
/// makes another object, and late uses of the old one race with the new begin.
template <class T>
class manual_lifetime {
  using where = std::source_location;

 public:
  manual_lifetime() noexcept {}
  ~manual_lifetime() {
    model::claim(!lives_ || !must_end, "something that must be ended was not");
    if (lives_) value_.~T();
  }
  manual_lifetime(const manual_lifetime&) = delete;
  manual_lifetime& operator=(const manual_lifetime&) = delete;

  template <class... Args>
  T& begin(Args&&... args) noexcept {
    model::claim(!lives_ || !must_end, "something that must be ended begins again");
    if (lives_) value_.~T();
    lives_ = true;
    births_.set(1);
    return *::new (static_cast<void*>(&value_)) T(std::forward<Args>(args)...);
  }
  T& operator*() noexcept { return used(); }
  const T& operator*() const noexcept { return const_cast<manual_lifetime*>(this)->used(); }
  T* operator->() noexcept { return &used(); }
  const T* operator->() const noexcept { return &const_cast<manual_lifetime*>(this)->used(); }
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

  model::race_checked<int> births_;
  bool lives_ = false;
  union {
    T value_;
  };
};

/// A variable that is used like a plain one, and that Relacy checks for races.
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
  model::race_checked<T> value_;
};

}  // namespace tine::detail
