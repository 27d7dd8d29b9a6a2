// OpenMP's allocators. Every memory space is the heap, so an allocator keeps only an alignment, and what to do if there
// is no memory. Any thread may call these functions.
#include "fail.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#pragma GCC visibility push(default)

using namespace tine::openmp;

namespace {

using handle = std::uintptr_t;
constexpr handle last_predefined = 8;

enum trait_key : int { trait_alignment = 2, trait_pool_size = 4, trait_fallback = 5 };
enum : std::uintptr_t { fallback_default_memory = 11, fallback_null = 12, fallback_abort = 13 };

struct trait {
  int key;
  std::uintptr_t value;
};

struct allocator {
  std::size_t alignment = 16;
  std::uintptr_t fallback = fallback_null;
};

handle default_of_process = 1;

allocator allocator_of(handle h) noexcept {
  if (h == 0) h = default_of_process;
  return h <= last_predefined ? allocator{} : *reinterpret_cast<const allocator*>(h);
}

void* allocate(std::size_t align, std::size_t bytes, handle h, bool zero) {
  const allocator a = allocator_of(h);
  if (bytes == 0 || (align != 0 && (align & (align - 1)) != 0)) return nullptr;
  align = std::max({align, a.alignment, std::size_t{16}});
  void* block = nullptr;
  if (::posix_memalign(&block, align, bytes) != 0) {
    if (a.fallback == fallback_abort) fail("omp_alloc: there is no memory for %zu bytes.", bytes);
    return nullptr;
  }
  return zero ? std::memset(block, 0, bytes) : block;
}

bool overflows(std::size_t n, std::size_t each, std::size_t& bytes) noexcept {
  return __builtin_mul_overflow(n, each, &bytes);
}

}  // namespace

extern "C" {

handle omp_init_allocator(handle, int count, const trait* traits) {
  auto* const a = new allocator;
  for (int i = 0; i < count; ++i) {
    if (traits[i].key == trait_alignment && traits[i].value != ~std::uintptr_t{0}) a->alignment = traits[i].value;
    if (traits[i].key == trait_fallback) a->fallback = traits[i].value;
  }
  if ((a->alignment & (a->alignment - 1)) == 0) return reinterpret_cast<handle>(a);
  delete a;
  return 0;
}
void omp_destroy_allocator(handle h) {
  if (h > last_predefined) delete reinterpret_cast<allocator*>(h);
}
void omp_set_default_allocator(handle h) { default_of_process = h == 0 ? 1 : h; }
handle omp_get_default_allocator() { return default_of_process; }

void* omp_alloc(std::size_t bytes, handle h) { return allocate(0, bytes, h, false); }
void* omp_aligned_alloc(std::size_t align, std::size_t bytes, handle h) { return allocate(align, bytes, h, false); }
void* omp_calloc(std::size_t n, std::size_t each, handle h) {
  std::size_t bytes = 0;
  return overflows(n, each, bytes) ? nullptr : allocate(0, bytes, h, true);
}
void* omp_aligned_calloc(std::size_t align, std::size_t n, std::size_t each, handle h) {
  std::size_t bytes = 0;
  return overflows(n, each, bytes) ? nullptr : allocate(align, bytes, h, true);
}
void omp_free(void* block, handle) { std::free(block); }
void* omp_realloc(void* block, std::size_t bytes, handle to, handle) {
  if (bytes == 0) {
    std::free(block);
    return nullptr;
  }
  const std::size_t align = allocator_of(to).alignment;
  void* const larger = std::realloc(block, bytes);
  if (larger == nullptr || reinterpret_cast<std::uintptr_t>(larger) % align == 0) return larger;
  void* const aligned = allocate(align, bytes, to, false);
  if (aligned != nullptr) std::memcpy(aligned, larger, bytes);
  std::free(larger);
  return aligned;
}
void* GOMP_alloc(std::size_t align, std::size_t bytes, handle h) {
  void* const block = allocate(align, std::max<std::size_t>(bytes, 1), h, false);
  if (block == nullptr) fail("GOMP_alloc: there is no memory for %zu bytes.", bytes);
  return block;
}
void GOMP_free(void* block, handle) { std::free(block); }

handle omp_init_allocator_(const handle* space, const std::int32_t* count, const trait* traits) {
  return omp_init_allocator(*space, *count, traits);
}
handle omp_init_allocator_8_(const handle* space, const std::int64_t* count, const trait* traits) {
  return omp_init_allocator(*space, static_cast<int>(*count), traits);
}
void omp_destroy_allocator_(const handle* h) { omp_destroy_allocator(*h); }
void omp_set_default_allocator_(const handle* h) { omp_set_default_allocator(*h); }
handle omp_get_default_allocator_() { return omp_get_default_allocator(); }

}  // extern "C"

#pragma GCC visibility pop
