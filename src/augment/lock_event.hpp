// The events that libtine_locks.so (lock_hook.cpp) reports to the runtime. Both sides are compiled apart, so the layout
// is fixed.
#pragma once

#include <cstdint>

namespace tine::detail {

enum class lock_action : std::uint32_t {
  waits,                ///< the lock is not free, and the caller is about to wait for it
  taken,                ///< after `waits`, or at once
  not_taken,            ///< after `waits`: the time ran out, or the call failed
  tried,                ///< taken by a call that never waits
  released,             ///< the lock is about to be released
  waits_for_condition,  ///< the mutex is about to be released for a wait for a condition
  woken,                ///< after `waits_for_condition`: the mutex is taken again
  destroyed,            ///< the lock is about to be destroyed
};

struct lock_event {
  lock_action action;
  const void* lock;
  bool is_shared;        ///< a read-write lock that is taken for reading
  std::uint64_t waited;  ///< nanoseconds in the call, if it waited
  const void* caller;    ///< the return address of the call
};

/// The listener runs on the thread that uses the lock, perhaps before main or after it. It must not throw. Locks that
/// it takes itself are not reported.
using lock_listener = void (*)(const lock_event& what) noexcept;

}  // namespace tine::detail
