// Storage blocks. Storage is the memory that an open fork or loop lends the observer of its strand until the join. The
// storage block is the area on the shadow stack that holds it. The block lies in front of the construct's own record,
// so it moves with its fiber, is freed in the order of the joins, and uses no native stack.
//
//      at                                                      end
//       | its length, with storage_block_bit | padding | storage ... | record of the fork or loop ...
//
// A storage block is never promoted: find_pending passes over it. Only the thread that runs the fiber writes it.
#pragma once

#include <tine/detail/base/object_at.hpp>
#include <tine/detail/sched/hot_words.hpp>

#include <cstddef>
#include <cstdint>
#include <new>

namespace tine::sched {

/// A storage block begins with its length in bytes and this bit, where records begin with the address of a descriptor
/// or with the word of a continuation. Both are aligned to at least 4, apart from continuation_bit, so neither has this
/// bit.
inline constexpr std::uintptr_t storage_block_bit = 2;

/// The owner. Returns the length of the storage block at `at`; 0 if there is a record instead.
inline std::size_t storage_block_bytes(address at) noexcept {
  return (base::word_at(at) & storage_block_bit) != 0 ? base::word_at(at) - storage_block_bit : 0;
}

/// The owner. Makes the bytes from `at` to `end` a storage block.
TINE_ALWAYS_INLINE void write_storage_block(address at, address end) noexcept {
  ::new (static_cast<void*>(at)) std::uintptr_t{static_cast<std::uintptr_t>(end - at) + storage_block_bit};
}

/// Returns the begin of the storage in the block at `at`: behind the first word, aligned to 16.
TINE_ALWAYS_INLINE address storage_in(address at) noexcept {
  constexpr std::uintptr_t alignment = 16;
  const std::uintptr_t behind = base::to_word(at) + sizeof(std::uintptr_t);
  return base::from_word<std::byte>((behind + alignment - 1) & ~(alignment - 1));
}

}  // namespace tine::sched
