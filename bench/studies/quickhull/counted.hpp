// An allocator that reports to the analysis of space exactly the bytes that were requested, by purpose.
#pragma once

#include <tine/augment/augment.hpp>
#include <tine/augment/space.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>

namespace bench::quickhull {

/// The purpose of an allocation.
enum class purpose : std::uintptr_t { filtered = 1, copied = 2, flattened = 3 };

/// std::allocator that reports every block to the running strand's vertex. Outside a region it reports nothing.
template <class T>
class counted {
 public:
  using value_type = T;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;
  using is_always_equal = std::true_type;  // the purpose is only for the record

  counted(purpose why = purpose::copied) noexcept : why_{why} {}
  counted select_on_container_copy_construction() const noexcept { return purpose::copied; }

  T* allocate(std::size_t n) {
    T* const at = std::allocator<T>{}.allocate(n);
    if (auto* v = tine::current_vertex<tine::space>()) v->alloc(bytes(n), site());
    return at;
  }
  void deallocate(T* at, std::size_t n) noexcept {
    if (auto* v = tine::current_vertex<tine::space>()) v->free(bytes(n), site());
    std::allocator<T>{}.deallocate(at, n);
  }

  /// Does not initialise new elements, because all of them are written afterwards.
  void construct(T* at) noexcept { ::new (static_cast<void*>(at)) T; }
  void construct(T* at, T value) noexcept { ::new (static_cast<void*>(at)) T{value}; }

  friend bool operator==(const counted&, const counted&) noexcept { return true; }

 private:
  static std::int64_t bytes(std::size_t n) noexcept { return static_cast<std::int64_t>(n * sizeof(T)); }
  std::uintptr_t site() const noexcept { return static_cast<std::uintptr_t>(why_); }

  purpose why_;
};

}  // namespace bench::quickhull
