// eventually: a slot for the result of a forked task if the type of the result has to be destroyed.
#pragma once

#include <tine/detail/base/assert.hpp>
#include <tine/detail/base/object_at.hpp>
#include <tine/detail/coro/frame.hpp>

#include <new>
#include <type_traits>
#include <utility>

namespace tine {

namespace detail {
inline namespace TINE_CHECKING {
template <class T>
class placed_by;
}  // namespace TINE_CHECKING
struct eventually_access;
}  // namespace detail

/// A variable that a forked task fills; empty until then. Before it is destroyed, it waits for the forked children of
/// its coroutine, also when an exception leaves its scope between fork and join, so that no child can write to it
/// afterwards.
///
///     tine::eventually<std::string> s;
///     co_await tine::fork(&s, read, path);
///     co_await tine::join;
///     use(*s);
///
/// Thread-safety: read it after the join only (checked in debug builds and with TINE_CHECKED). Types that need no
/// destruction do without an `eventually`.
template <class T>
class eventually {
  static_assert(std::is_object_v<T> && !std::is_const_v<T>, "tine: eventually holds a plain object type");

 public:
  eventually() noexcept {}
  ~eventually() {
    if (owner_ != nullptr) detail::join_natively(*owner_);
    if (filled_) value_.~T();
  }
  eventually(const eventually&) = delete;
  eventually& operator=(const eventually&) = delete;

  /// Returns true if the last task that was forked to fill it has ended with a value. Returns false if that task threw,
  /// or if it was not started because its region was asked to stop. May be called after the join only.
  bool has_value() const noexcept { return filled_; }
  T& operator*() & noexcept { return checked(); }
  const T& operator*() const& noexcept { return const_cast<eventually*>(this)->checked(); }
  T&& operator*() && noexcept { return std::move(checked()); }
  T* operator->() noexcept { return &checked(); }
  const T* operator->() const noexcept { return &const_cast<eventually*>(this)->checked(); }

 private:
  template <class>
  friend class detail::placed_by;
  friend struct detail::eventually_access;

  void empty() noexcept {
    if (!filled_) return;
    filled_ = false;
    value_.~T();
  }
  template <class U>
  void emplace(U&& value) {
    empty();
    ::new (static_cast<void*>(&value_)) T(std::forward<U>(value));
    filled_ = true;
  }
  T& checked() noexcept {
#if TINE_CHECKS
    if (!filled_)
      base::fatal("a tine::eventually was read before its task had given it a value: co_await tine::join first.");
#endif
    return value_;
  }

  union {
    T value_;
    std::exception_ptr error_;  // of a called child, until the call throws it
  };
  bool filled_ = false;
  detail::frame* owner_ = nullptr;  // the frame whose child fills it
};

namespace detail {

struct eventually_access {
  /// Returns the slot to which a child writes a result of type `T` that goes into `*result`.
  template <class T, class Slot>
  static auto* result_slot_in(Slot* result) noexcept {
    if constexpr (std::is_same_v<Slot, eventually<T>> && std::is_trivially_destructible_v<T>) {
      return &result->value_;
    } else {
      return result;
    }
  }
  template <class T>
  static void belongs_to(eventually<T>& e, frame& f) noexcept {
    e.owner_ = &f;
  }
  /// Called when a fork starts the child that will write a value at that address, which is an eventually's. The child
  /// writes nothing else on its usual way, so the eventually counts as filled from now on. A child that throws empties
  /// it again.
  template <class T>
  static void expect(T* value) noexcept {
    around(value).filled_ = true;
  }
  template <class T>
  static void empty_around(T* value) noexcept {
    around(value).empty();
  }
  /// Called when the task ends by an exception, perhaps after it had given a value.
  template <class T>
  static void empty(eventually<T>& e) noexcept {
    e.empty();
  }
  template <class T>
  static std::exception_ptr take_error(eventually<T>& e) noexcept {
    std::exception_ptr error = std::move(e.error_);
    e.error_.~exception_ptr();
    return error;
  }

 private:
  /// The value is the first member of the eventually's union, which is its first member.
  template <class T>
  static eventually<T>& around(T* value) noexcept {
    return *base::object_at<eventually<T>>(value);
  }
};

}  // namespace detail
}  // namespace tine
