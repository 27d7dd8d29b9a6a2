// Tells the detector about locks. Thread-safe.
#pragma once

#include <cstdint>

namespace tine::detail {

/// The running strand has taken the lock. `shared`: others may hold it, too, for reading. `place`: the return address
/// of the call.
void note_lock(const void* lock, bool shared, std::uintptr_t place) noexcept;
/// It is about to release the lock.
void note_unlock(const void* lock) noexcept;
/// It has released a lock.
void note_unlocked() noexcept;

}  // namespace tine::detail
