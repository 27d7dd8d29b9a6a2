// The blocks of the heap, for reports: where a block starts, and which call allocated it. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tine::detail {

struct heap_block {
  std::uintptr_t begin = 0;  ///< 0: there is no such block
  std::size_t bytes = 0;
  std::uintptr_t allocated_at = 0;  ///< the return address of the call
  bool is_of_runtime = false;       ///< the runtime allocated it: a stacklet with the frames of coroutines
};

/// Returns the block that contains the address.
heap_block heap_block_around(std::uintptr_t address) noexcept;

/// The functions behind malloc and operator new. `place`: the return address of the call. They return null if there is
/// no memory.
void* allocate_block(std::size_t bytes, std::size_t alignment, std::uintptr_t place) noexcept;
void* allocate_zeroed_block(std::size_t count, std::size_t bytes, std::uintptr_t place) noexcept;
void* reallocate_block(void* block, std::size_t bytes, std::uintptr_t place) noexcept;
void free_block(void* block, std::uintptr_t place) noexcept;
std::size_t block_bytes(void* block) noexcept;

/// An allocator inside of a block gives out these bytes: their earlier uses don't race with those that follow.
void begin_use(const void* where, std::size_t bytes) noexcept;

}  // namespace tine::detail
