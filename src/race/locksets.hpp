// The locks that a strand holds, as small numbers: equal sets have equal numbers. Only the thread that holds the
// detector touches the table.
#pragma once

#include <cstdint>

namespace tine::detail {

/// The number of a set of locks. 0: no lock.
using lockset = std::uint32_t;

/// An atomic operation counts as an access under this lock, so atomic operations don't race with each other.
inline constexpr std::uintptr_t lock_of_atomics = 1;

/// Returns the set with one more lock. `shared` locks protect only reads: a write under a shared lock has no lock.
lockset with_lock(lockset held, std::uintptr_t lock, bool shared) noexcept;
lockset without_lock(lockset held, std::uintptr_t lock) noexcept;
/// Returns the set of all locks of both.
lockset united(lockset a, lockset b) noexcept;
/// Returns the exclusive locks of `held`, i.e. those that protect a write.
lockset exclusive_part(lockset held) noexcept;

/// Returns true if a lock is in both sets but not in `held_before`. Locks that a strand has held since before the fork
/// at which two strands part don't exclude these from each other.
bool have_common_lock(lockset a, lockset b, lockset held_before) noexcept;
/// Returns true if each lock of `a` is in `b`.
bool is_subset(lockset a, lockset b) noexcept;

}  // namespace tine::detail
