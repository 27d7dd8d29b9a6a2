// Raw memory for algorithms that need a copy of a range, and the objects that an algorithm has constructed in it.
#pragma once

#include <tine/detail/base/macros.hpp>

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace tine::detail::pstl {

/// Memory for `n` objects of type `T`, in which no object exists. Throws std::bad_alloc.
template <class T>
class buffer {
 public:
  explicit buffer(std::size_t n) : at_{std::allocator<T>{}.allocate(n)}, n_{n} {}
  ~buffer() { std::allocator<T>{}.deallocate(at_, n_); }
  buffer(const buffer&) = delete;
  buffer& operator=(const buffer&) = delete;

  explicit operator bool() const noexcept { return at_ != nullptr; }
  T* get() const noexcept { return at_; }

 private:
  T* at_;
  std::size_t n_;
};

/// Owns consecutive objects in a buffer, and destroys them.
template <class T>
class buffered {
 public:
  buffered(T* begin, T* end) noexcept : begin_{begin}, end_{end} {}
  buffered(buffered&& other) noexcept : begin_{other.begin_}, end_{std::exchange(other.end_, other.begin_)} {}
  buffered& operator=(buffered&&) = delete;
  ~buffered() {
    if constexpr (!std::is_trivially_destructible_v<T>) std::destroy(begin_, end_);
  }

  T* begin() const noexcept { return begin_; }
  T* end() const noexcept { return end_; }
  /// Constructs an object behind the last one.
  template <class From>
  TINE_ALWAYS_INLINE void push_back(From&& from) {
    std::construct_at(end_, std::forward<From>(from));
    ++end_;
  }
  /// Takes over the objects of `next`, which begin where these end.
  void append(buffered&& next) noexcept { end_ = std::exchange(next.end_, next.begin_); }

 private:
  T *begin_, *end_;
};

}  // namespace tine::detail::pstl
