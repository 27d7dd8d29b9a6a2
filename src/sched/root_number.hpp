// The number of the root that a queued task belongs to. We keep it in the upper bits of the task's address, which are 0
// in user space. So a thief knows the root before it takes the task, and doesn't have to read the task.
#pragma once

#include <tine/detail/base/object_at.hpp>
#include <tine/detail/sched/task.hpp>

#include <cstdint>

namespace tine::sched {

/// The number of a root while it runs: its caller's worker slot plus one, or `submitted_roots`. 0: the root is not
/// known, or its caller takes all work; then any worker may take the task.
using root_number = std::uint16_t;

/// The number of the root whose caller has the first slot. Callers get the lowest free slot, so where one thread at a
/// time calls, this is its number.
inline constexpr root_number first_root = 1;

/// The number of all submitted roots. They have no caller.
inline constexpr root_number submitted_roots = 0xffff;

inline constexpr unsigned root_shift = 48;

inline root_number root_of(const task* t) noexcept { return static_cast<root_number>(base::to_word(t) >> root_shift); }
/// Returns the task as it is queued. A task that already has a number keeps it.
inline task* numbered(task* t, root_number root) noexcept {
  return root_of(t) != 0 ? t : base::from_word<task>(base::to_word(t) | std::uintptr_t{root} << root_shift);
}
inline task* unnumbered(task* t) noexcept {
  return base::from_word<task>(base::to_word(t) & ((std::uintptr_t{1} << root_shift) - 1));
}

}  // namespace tine::sched
