// operator new and delete, so that reports name the code that allocates in place of the C++ library. A program that has
// its own operators uses these, whose memory comes from malloc.
#include "race/called_from.hpp"
#include "race/heap.hpp"

#include <tine/detail/base/macros.hpp>
#include <tine/detail/base/object_at.hpp>

#include <new>

using namespace tine::detail;

namespace {

void* allocate(std::size_t n, std::size_t alignment, std::uintptr_t place) {
  for (;;) {
    if (void* const block = allocate_block(n, alignment, place)) return block;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc{};
    handler();
  }
}
void* allocate_or_null(std::size_t n, std::size_t alignment, std::uintptr_t place) noexcept {
  try {
    return allocate(n, alignment, place);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

}  // namespace

using alignment = std::align_val_t;

TINE_API void* operator new(std::size_t n) { return allocate(n, 1, called_from()); }
TINE_API void* operator new[](std::size_t n) { return allocate(n, 1, called_from()); }
TINE_API void* operator new(std::size_t n, const std::nothrow_t&) noexcept {
  return allocate_or_null(n, 1, called_from());
}
TINE_API void* operator new[](std::size_t n, const std::nothrow_t&) noexcept {
  return allocate_or_null(n, 1, called_from());
}
TINE_API void* operator new(std::size_t n, alignment a) { return allocate(n, std::size_t(a), called_from()); }
TINE_API void* operator new[](std::size_t n, alignment a) { return allocate(n, std::size_t(a), called_from()); }
TINE_API void* operator new(std::size_t n, alignment a, const std::nothrow_t&) noexcept {
  return allocate_or_null(n, std::size_t(a), called_from());
}
TINE_API void* operator new[](std::size_t n, alignment a, const std::nothrow_t&) noexcept {
  return allocate_or_null(n, std::size_t(a), called_from());
}
TINE_API void operator delete(void* p) noexcept { free_block(p, called_from()); }
TINE_API void operator delete[](void* p) noexcept { free_block(p, called_from()); }
TINE_API void operator delete(void* p, std::size_t) noexcept { free_block(p, called_from()); }
TINE_API void operator delete[](void* p, std::size_t) noexcept { free_block(p, called_from()); }
TINE_API void operator delete(void* p, const std::nothrow_t&) noexcept { free_block(p, called_from()); }
TINE_API void operator delete[](void* p, const std::nothrow_t&) noexcept { free_block(p, called_from()); }
TINE_API void operator delete(void* p, alignment) noexcept { free_block(p, called_from()); }
TINE_API void operator delete[](void* p, alignment) noexcept { free_block(p, called_from()); }
TINE_API void operator delete(void* p, std::size_t, alignment) noexcept { free_block(p, called_from()); }
TINE_API void operator delete[](void* p, std::size_t, alignment) noexcept { free_block(p, called_from()); }
TINE_API void operator delete(void* p, alignment, const std::nothrow_t&) noexcept { free_block(p, called_from()); }
TINE_API void operator delete[](void* p, alignment, const std::nothrow_t&) noexcept { free_block(p, called_from()); }
