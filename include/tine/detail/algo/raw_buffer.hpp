// Memory for items that do not exist yet. Its owner starts and ends their lifetimes.
#pragma once

#include <tine/detail/base/object_at.hpp>

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

namespace tine::detail {

/// The size of a huge page.
inline constexpr std::size_t huge_page = std::size_t{1} << 21;

/// The alignment with which `take_memory` takes this number of bytes.
constexpr std::size_t alignment_for(std::size_t bytes, std::size_t alignment) noexcept {
  return bytes >= huge_page / 2 ? std::max(alignment, huge_page) : alignment;
}

/// Returns memory. Long memory is on huge pages if the system has them: with small ones, the first access to each page
/// took a fifth of the time of a merge sort of 64-byte items.
inline void* take_memory(std::size_t bytes, std::size_t alignment) {
  const std::size_t aligned = alignment_for(bytes, alignment);
  if (aligned < huge_page) return ::operator new(bytes, std::align_val_t{aligned});
  bytes = (bytes + huge_page - 1) / huge_page * huge_page;
  void* const memory = ::operator new(bytes, std::align_val_t{aligned});
  static_cast<void>(madvise(memory, bytes, MADV_HUGEPAGE));  // fails where the system has none
  return memory;
}

/// Returns memory that `take_memory` returned for this number of bytes.
inline void return_memory(void* memory, std::size_t bytes, std::size_t alignment) noexcept {
  ::operator delete(memory, std::align_val_t{alignment_for(bytes, alignment)});
}

/// Memory for `n` items of type `T`. You may assign to trivially copyable items at once; others start by
/// `std::construct_at`.
template <class T>
class raw_buffer {
 public:
  raw_buffer() = default;
  /// Throws std::bad_alloc.
  explicit raw_buffer(std::uint64_t n) : items_{static_cast<T*>(take_memory(bytes_for(n), alignof(T)))}, n_{n} {
    if constexpr (base::is_implicit_lifetime<T>) base::begin_objects(items_, bytes_for(n));
  }
  raw_buffer(raw_buffer&& other) noexcept
      : items_{std::exchange(other.items_, nullptr)}, n_{std::exchange(other.n_, 0)} {}
  raw_buffer& operator=(raw_buffer&& other) noexcept {
    std::swap(items_, other.items_);
    std::swap(n_, other.n_);
    return *this;
  }
  ~raw_buffer() {
    if (items_ != nullptr) return_memory(items_, bytes_for(n_), alignof(T));
  }

  T* begin() const noexcept { return items_; }
  std::uint64_t capacity() const noexcept { return n_; }

 private:
  static std::size_t bytes_for(std::uint64_t n) {
    if (n > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T)) throw std::bad_array_new_length{};
    return n * sizeof(T);
  }

  T* items_ = nullptr;
  std::uint64_t n_ = 0;
};

/// A few items on the stack, without values. `T` is trivially copyable.
template <class T, std::size_t N>
struct small_buffer {
  static_assert(std::is_trivially_copyable_v<T>);
  small_buffer() noexcept { base::begin_objects(bytes, sizeof bytes); }
  T* begin() noexcept { return base::object_at<T>(bytes); }

  alignas(T) std::byte bytes[N * sizeof(T)];
};

}  // namespace tine::detail
