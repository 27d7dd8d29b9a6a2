// cache_aligned_allocator: oneTBB's own, if oneTBB is installed, because its containers and we must agree on it.
// Otherwise one with the same interface. Any thread may use it.
#pragma GCC system_header  // #include_next is an extension

#if __has_include_next(<oneapi/tbb/cache_aligned_allocator.h>)
#include_next <oneapi/tbb/cache_aligned_allocator.h>
#elif !defined(__TBB_cache_aligned_allocator_H)
#define __TBB_cache_aligned_allocator_H

#include <oneapi/tbb/tine/split.hpp>

#include <cstddef>
#include <new>
#include <type_traits>

namespace tbb {
namespace detail {
namespace d1 {

/// Allocates memory that shares no cache line with other memory.
template <class T>
class cache_aligned_allocator {
 public:
  using value_type = T;
  using propagate_on_container_move_assignment = std::true_type;
  using is_always_equal = std::true_type;

  cache_aligned_allocator() = default;
  template <class U>
  cache_aligned_allocator(const cache_aligned_allocator<U>&) noexcept {}

  [[nodiscard]] T* allocate(std::size_t n) {
    if (n > max_size()) throw std::bad_array_new_length{};
    return static_cast<T*>(::operator new(whole_lines(n), alignment));
  }
  void deallocate(T* p, std::size_t) noexcept { ::operator delete(p, alignment); }
  std::size_t max_size() const noexcept { return (~std::size_t{0} - line) / sizeof(T); }

  template <class U>
  friend bool operator==(const cache_aligned_allocator&, const cache_aligned_allocator<U>&) noexcept {
    return true;
  }

 private:
  static constexpr std::size_t line = 128;  // two lines, which are fetched together
  static constexpr std::align_val_t alignment{alignof(T) > line ? alignof(T) : line};
  static std::size_t whole_lines(std::size_t n) noexcept { return (n * sizeof(T) + line - 1) / line * line; }
};

}  // namespace d1
}  // namespace detail

inline namespace v1 {
using detail::d1::cache_aligned_allocator;
}
}  // namespace tbb

#endif
