// OpenMP's allocators. Every memory space is the heap, so an allocator keeps an alignment, the size of its pool, and
// what to do if there is no memory. In front of each block is its head, so a block is freed or resized without its
// allocator. Any thread may call these functions.
#include "fail.hpp"
#include "icvs.hpp"
#include "task.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#pragma GCC visibility push(default)

using namespace tine::openmp;

namespace {

using handle = std::uintptr_t;
constexpr handle last_predefined = 8;

enum trait_key : int { trait_alignment = 2, trait_pool_size = 4, trait_fallback = 5, trait_fallback_allocator = 6 };
enum : std::uintptr_t { fallback_default_memory = 11, fallback_null, fallback_abort, fallback_allocator };

struct trait {
  int key;
  std::uintptr_t value;
};

struct allocator {
  std::size_t alignment = 1;
  std::size_t pool_size = ~std::size_t{0};
  std::uintptr_t fallback = fallback_default_memory;
  handle next = 0;  ///< for fallback_allocator
  std::atomic<std::size_t> used{0};

  /// Returns false if the pool has not as many bytes any more.
  bool take(std::size_t bytes) noexcept {
    std::size_t before = used.load(std::memory_order_relaxed);  // relaxed, here and below: only a number is shared
    do {
      if (bytes > pool_size || before > pool_size - bytes) return false;
    } while (!used.compare_exchange_weak(before, before + bytes, std::memory_order_relaxed));
    return true;
  }
};

struct alignas(16) block_head {
  void* start;  ///< of the memory, for free
  std::size_t bytes;
  allocator* from;  ///< whose pool has it; null: a predefined one

  static block_head& of(void* block) noexcept { return static_cast<block_head*>(block)[-1]; }
};

allocator* made(handle h) noexcept { return h <= last_predefined ? nullptr : reinterpret_cast<allocator*>(h); }
handle or_default(handle h) { return h == 0 ? current().vars->allocator : h; }

/// A block from the heap, behind its head; null if there is no memory.
void* from_heap(std::size_t align, std::size_t bytes, allocator* from) noexcept {
  std::size_t all = 0;
  if (__builtin_add_overflow(bytes, align + sizeof(block_head), &all)) return nullptr;
  void* const start = std::malloc(all);
  if (start == nullptr) return nullptr;
  const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(start) + sizeof(block_head);
  void* const block = static_cast<char*>(start) + sizeof(block_head) + ((align - first % align) % align);
  block_head::of(block) = {start, bytes, from};
  return block;
}

void* allocate(std::size_t align, std::size_t bytes, handle h) {
  allocator* const a = made(or_default(h));
  if (bytes == 0 || (align & (align - 1)) != 0) return nullptr;
  align = std::max({align, a == nullptr ? 1 : a->alignment, alignof(block_head)});
  if (a == nullptr) return from_heap(align, bytes, nullptr);
  if (a->take(bytes)) {
    if (void* const block = from_heap(align, bytes, a)) return block;
    a->used.fetch_sub(bytes, std::memory_order_relaxed);  // relaxed: as in `take`
  }
  if (a->fallback == fallback_abort) fail("omp_alloc: there is no memory for %zu bytes.", bytes);
  if (a->fallback == fallback_default_memory) return from_heap(align, bytes, nullptr);
  return a->fallback == fallback_allocator ? allocate(align, bytes, a->next) : nullptr;
}

void* zeros(std::size_t align, std::size_t n, std::size_t each, handle h) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(n, each, &bytes)) return nullptr;
  void* const block = allocate(align, bytes, h);
  return block == nullptr ? nullptr : std::memset(block, 0, bytes);
}

void release(void* block) noexcept {
  if (block == nullptr) return;
  const block_head head = block_head::of(block);
  if (head.from != nullptr) head.from->used.fetch_sub(head.bytes, std::memory_order_relaxed);  // relaxed: as in `take`
  std::free(head.start);
}

}  // namespace

extern "C" {

handle omp_init_allocator(handle, int count, const trait* traits) {
  auto* const a = new allocator;
  bool is_valid = true;
  for (int i = 0; i < count; ++i) {
    const std::uintptr_t value = traits[i].value;
    if (value == ~std::uintptr_t{0}) continue;  // omp_atv_default
    if (traits[i].key == trait_alignment) a->alignment = value;
    if (traits[i].key == trait_pool_size) a->pool_size = value;
    if (traits[i].key == trait_fallback) a->fallback = value;
    if (traits[i].key == trait_fallback_allocator) a->next = value;
  }
  is_valid = a->alignment != 0 && (a->alignment & (a->alignment - 1)) == 0 && a->pool_size != 0 &&
             a->fallback >= fallback_default_memory && a->fallback <= fallback_allocator;
  if (is_valid) return reinterpret_cast<handle>(a);
  delete a;
  return 0;
}
void omp_destroy_allocator(handle h) { delete made(h); }
void omp_set_default_allocator(handle h) {
  change_vars(current(), [h](icvs& v) { v.allocator = h == 0 ? 1 : h; });
}
handle omp_get_default_allocator() { return current().vars->allocator; }

void* omp_alloc(std::size_t bytes, handle h) { return allocate(1, bytes, h); }
void* omp_aligned_alloc(std::size_t align, std::size_t bytes, handle h) { return allocate(align, bytes, h); }
void* omp_calloc(std::size_t n, std::size_t each, handle h) { return zeros(1, n, each, h); }
void* omp_aligned_calloc(std::size_t align, std::size_t n, std::size_t each, handle h) {
  return zeros(align, n, each, h);
}
void omp_free(void* block, handle) { release(block); }
void* omp_realloc(void* block, std::size_t bytes, handle to, handle) {
  if (bytes == 0) {
    release(block);
    return nullptr;
  }
  // Without an allocator the new block comes from that of the old one.
  if (to == 0 && block != nullptr) to = reinterpret_cast<handle>(block_head::of(block).from);
  void* const other = allocate(1, bytes, to);
  if (other == nullptr || block == nullptr) return other;
  std::memcpy(other, block, std::min(bytes, block_head::of(block).bytes));
  release(block);
  return other;
}
void* GOMP_alloc(std::size_t align, std::size_t bytes, handle h) {
  void* const block = allocate(align, std::max<std::size_t>(bytes, 1), h);
  if (block == nullptr) fail("GOMP_alloc: there is no memory for %zu bytes.", bytes);
  return block;
}
void GOMP_free(void* block, handle) { release(block); }

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
