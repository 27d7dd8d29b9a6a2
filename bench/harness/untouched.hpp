// Memory that no thread has touched: the kernel places a page when it is first written, near the thread that writes it.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <type_traits>

namespace bench {

/// An array of zeros on fresh pages.
template <class T>
class untouched {
  static_assert(std::is_trivial_v<T>);

 public:
  untouched() = default;
  untouched(const untouched&) = delete;
  untouched& operator=(const untouched&) = delete;
  ~untouched() { release(); }

  /// Replaces the array by a new one on fresh pages, and returns the old pages to the kernel.
  void renew(std::size_t size) {
    release();
    void* const fresh = mmap(nullptr, size * sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (fresh == MAP_FAILED) throw std::bad_alloc{};
    data_ = static_cast<T*>(fresh);
    size_ = size;
  }

  std::size_t size() const { return size_; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }

 private:
  void release() {
    if (data_ != nullptr) munmap(data_, size_ * sizeof(T));
    data_ = nullptr;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace bench
