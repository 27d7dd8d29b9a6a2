// A list of plain values in memory of its own, which the system commits when it is first touched. It does not call
// malloc, because the detector replaces malloc.
#pragma once

#include "race/reserved.hpp"

#include <cstddef>
#include <type_traits>
#include <utility>

namespace tine::detail {

template <class T>
class growing_list {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  constexpr growing_list() noexcept = default;
  growing_list(const growing_list&) = delete;
  growing_list& operator=(const growing_list&) = delete;
  ~growing_list() { release_reserved(items_, capacity_ * sizeof(T)); }

  /// Appends a value. Returns false if there is no memory for it.
  bool push(const T& value) noexcept {
    if (size_ == capacity_ && !grow()) return false;
    items_[size_++] = value;
    return true;
  }
  void pop() noexcept { --size_; }
  void clear() noexcept { size_ = 0; }

  T& back() noexcept { return items_[size_ - 1]; }
  T& operator[](std::size_t i) noexcept { return items_[i]; }
  const T& operator[](std::size_t i) const noexcept { return items_[i]; }
  T* begin() noexcept { return items_; }
  T* end() noexcept { return items_ + size_; }
  const T* begin() const noexcept { return items_; }
  const T* end() const noexcept { return items_ + size_; }
  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }

 private:
  bool grow() noexcept {
    const std::size_t capacity = capacity_ != 0 ? 2 * capacity_ : (std::size_t{64} << 10) / sizeof(T);
    auto* const items = static_cast<T*>(reserve(capacity * sizeof(T)));
    if (items == nullptr) return false;
    for (std::size_t i = 0; i < size_; ++i) items[i] = items_[i];
    release_reserved(std::exchange(items_, items), std::exchange(capacity_, capacity) * sizeof(T));
    return true;
  }

  T* items_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace tine::detail
