// Tells the detector about locks. Thread-safe.
#pragma once

namespace tine::detail {

/// The running strand has taken the lock. `shared`: others may hold it,
/// too, for reading.
void note_lock(const void* lock, bool shared) noexcept;
/// It is about to release the lock.
void note_unlock(const void* lock) noexcept;
/// It has released a lock.
void note_unlocked() noexcept;

}  // namespace tine::detail
