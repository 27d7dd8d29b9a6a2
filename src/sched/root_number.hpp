// Which root a queued task belongs to, kept in the upper bits of its address, where user space has none. So a thief knows it before
// it takes the task, and reads nothing of the task for it.
#pragma once

#include <tine/sched/task.hpp>

#include <cstdint>

namespace tine::sched {

/// The number of a root while it runs: that of its caller's seat plus one. 0: not known, or of no interest to its caller; then any
/// worker may take the task.
using root_number = std::uint16_t;

inline constexpr unsigned root_shift = 48;

inline root_number root_of(const task* t) noexcept {
  return static_cast<root_number>(reinterpret_cast<std::uintptr_t>(t) >> root_shift);
}
/// The task as it is queued. A task that has a number already keeps it.
inline task* numbered(task* t, root_number root) noexcept {
  if (root_of(t) != 0) return t;
  return reinterpret_cast<task*>(reinterpret_cast<std::uintptr_t>(t) | std::uintptr_t{root} << root_shift);
}
inline task* unnumbered(task* t) noexcept {
  constexpr std::uintptr_t address_bits = (std::uintptr_t{1} << root_shift) - 1;
  return reinterpret_cast<task*>(reinterpret_cast<std::uintptr_t>(t) & address_bits);
}

}  // namespace tine::sched
