// Sets the listener that the lock hook (lock_hook.cpp) and tine's own locks call at every use of a lock.
#pragma once

#include <tine/detail/sched/lock_event.hpp>

namespace tine::detail {

/// Makes `to` the process's listener. Returns false if libtine_locks.so is not preloaded, or if the program calls other
/// functions of locks than those of that library.
bool listen_to_locks(lock_listener to) noexcept;

}  // namespace tine::detail
