// The reports of locks to the detector.
#pragma once

namespace tine::detail {

/// The running strand, or the running thread outside of every root, has taken the lock. `shared`: others may hold it,
/// too, to read.
void note_lock(const void* lock, bool shared) noexcept;
/// It is about to give the lock back.
void note_unlock(const void* lock) noexcept;

}  // namespace tine::detail
