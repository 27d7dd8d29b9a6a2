// The events that the lock checker hears. libtine_locks.so (src/augment/lock_hook.cpp) reports the locks of the C
// library, and tine's own locks report themselves (lock_listener.hpp). They are compiled separately, so the layout is
// fixed.
#pragma once

#include <cstdint>

namespace tine::detail {

enum class lock_action : std::uint32_t {
  waits,                ///< the caller may have to wait, or is about to
  taken,                ///< after `waits`, or at once
  not_taken,            ///< after `waits`: the wait is over, and the caller has taken no lock
  tried,                ///< taken by a call that never waits
  released,             ///< the lock is about to be released
  waits_for_condition,  ///< the mutex is about to be released for a wait for a condition
  woken,                ///< after `waits_for_condition`: the mutex is taken again
  destroyed,            ///< the lock is about to be destroyed
};

/// The kind of object that is taken or waited for. From `semaphore` on nothing is taken.
enum class lock_kind : std::uint32_t {
  lock,
  call_once,     ///< a flag: the strand that makes the call has taken it
  static_local,  ///< the guard of a local variable that is static: the strand that initialises it has taken it
  semaphore,
  latch,
  barrier,
  task_group,
  condition,
};

struct lock_event {
  lock_action action;
  const void* lock;
  bool is_shared;        ///< a read-write lock that is taken for reading
  std::uint64_t waited;  ///< nanoseconds in the call, if it blocked its thread
  const void* caller;    ///< the return address of the call
  lock_kind kind = lock_kind::lock;
  bool is_of_strands = false;  ///< of tine: a strand that waits leaves its worker, and any thread may release it
};

/// The listener runs on the thread that uses the lock, perhaps before or after main. It must not throw. Locks that it
/// takes itself are not reported.
using lock_listener = void (*)(const lock_event& what) noexcept;

}  // namespace tine::detail
