// The locks that a strand holds, as small numbers: equal sets have equal numbers. Only the thread that holds the
// detector touches the table.
#pragma once

#include <cstdint>

namespace tine::detail {

/// The number of a set of locks. 0: no lock.
using lockset = std::uint32_t;

/// An atomic operation counts as an access under this lock, so atomic operations do not race with each other.
inline constexpr std::uintptr_t lock_of_atomics = 1;

/// Returns the set with one lock more. `shared` locks protect reads only: a write under a shared lock holds none.
lockset with_lock(lockset held, std::uintptr_t lock, bool shared) noexcept;
lockset without_lock(lockset held, std::uintptr_t lock) noexcept;
/// Returns the set of the exclusive locks of `held`: those that protect a write.
lockset exclusive_part(lockset held) noexcept;

/// Returns true if a lock is in both sets, and not in `held_before`: locks that a strand has held since before the fork
/// at which two strands part do not exclude these strands from each other.
bool have_common_lock(lockset a, lockset b, lockset held_before) noexcept;
/// Returns true if each lock of `a` is in `b`.
bool is_subset(lockset a, lockset b) noexcept;

}  // namespace tine::detail
