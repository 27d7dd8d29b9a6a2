// The place of an entry point's return address, and how libgomp's arguments are read. Files with entry points translate
// calls of libgomp into calls of the other files; the version script gives them libgomp's symbol versions.
#pragma once

#include "team.hpp"

namespace tine::openmp {

/// The stack slot with the address to which an entry point returns: the site of its forks is the program's line. Only
/// for use in the entry point itself.
[[gnu::always_inline]] inline const void* place_of_return() noexcept {
  return static_cast<void**>(__builtin_frame_address(0)) + 1;
}

/// The schedule in libgomp's argument `sched`, whose highest bit is a modifier.
inline schedule schedule_of(long sched) noexcept { return static_cast<schedule>(sched & 7); }

}  // namespace tine::openmp
