// scratch: arrays on a task's own segmented stack (libfork, §III-C), for data that its children read and write.
#pragma once

#include <tine/coro/task.hpp>
#include <tine/detail/base/object_at.hpp>

#include <cstddef>
#include <limits>
#include <new>
#include <type_traits>

namespace tine {

namespace detail {
template <class T>
class scratch_awaiter;
}  // namespace detail

/// An array on the stack of the task that made it. It ends with its scope. Its elements are default-initialised, so
/// numbers have no value at first. If an exception leaves the scope between fork and join, the array waits for the
/// task's children first. It must not be moved, copied, or kept beyond the task.
template <class T>
class scratch_array {
 public:
  TINE_ALWAYS_INLINE ~scratch_array() {
    if (owner_.up.has(detail::link::stolen)) detail::join_natively(owner_);
    destroy(size_);
#if TINE_CHECKS
    detail::segmented_stack::check_top(static_cast<std::byte*>(block_) + bytes(size_));
#endif
    detail::release_array(block_);
  }
  scratch_array(const scratch_array&) = delete;
  scratch_array& operator=(const scratch_array&) = delete;

  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  T* begin() noexcept { return data_; }
  T* end() noexcept { return data_ + size_; }
  const T* begin() const noexcept { return data_; }
  const T* end() const noexcept { return data_ + size_; }
  T& operator[](std::size_t i) noexcept { return data_[i]; }
  const T& operator[](std::size_t i) const noexcept { return data_[i]; }

 private:
  friend class detail::scratch_awaiter<T>;

  static constexpr std::size_t padding = alignof(T) > 16 ? alignof(T) - 16 : 0;

  scratch_array(detail::frame& owner, std::size_t n)
      : owner_{owner}, size_{n}, block_{detail::allocate_array(bytes(n))}, data_{begun(block_, n)} {
    std::size_t made = 0;
    if constexpr (std::is_nothrow_default_constructible_v<T>) {
      for (; made < n; ++made) ::new (static_cast<void*>(data_ + made)) T;
    } else {
      try {
        for (; made < n; ++made) ::new (static_cast<void*>(data_ + made)) T;
      } catch (...) {
        destroy(made);
        detail::release_array(block_);
        throw;
      }
    }
  }

  void destroy(std::size_t made) noexcept {
    while (made > 0) data_[--made].~T();
  }

  static std::size_t bytes(std::size_t n) {
    constexpr std::size_t most = static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max());
    if (n > (most - padding) / sizeof(T)) throw std::bad_array_new_length{};
    return n * sizeof(T) + padding;
  }
  /// Begins the array, but not its elements.
  static T* begun(void* block, std::size_t n) noexcept {
    base::begin_objects(block, n * sizeof(T) + padding);
    return base::from_word<T>((base::to_word(block) + padding) & ~(std::uintptr_t{alignof(T)} - 1));
  }

  detail::frame& owner_;
  const std::size_t size_;
  void* const block_;
  T* const data_;
};

namespace detail {

template <class T>
class [[nodiscard]] scratch_awaiter {
 public:
  using tine_awaitable = void;
  explicit scratch_awaiter(std::size_t n) noexcept : size_{n} {}

  /// Called by the promise of the task that awaits: the awaiter learns its task.
  void belongs_to(joining& task) noexcept {
    task.check_outside_fork();
    owner_ = &task;
  }
  TINE_ALWAYS_INLINE bool await_ready() const noexcept { return true; }
  bool await_suspend(std::coroutine_handle<>) const noexcept { return false; }
  TINE_ALWAYS_INLINE scratch_array<T> await_resume() const { return {*owner_, size_}; }

 private:
  const std::size_t size_;
  frame* owner_ = nullptr;
};

}  // namespace detail

/// `auto a = co_await tine::scratch<T>(n)` in a task, outside the scope from a fork to its join: `n` elements on the
/// task's stack, for instance for the results of children. The array is as cheap as a local variable, and never too
/// large for the stack. The arrays of one task must end in the reverse order of their making (checked in debug builds).
/// Throws std::bad_alloc.
template <class T>
auto scratch(std::size_t n) noexcept {
  return detail::scratch_awaiter<T>{n};
}

}  // namespace tine
