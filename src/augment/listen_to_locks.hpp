// The runtime's side of the lock hook (lock_hook.cpp): it sets the listener that the hook calls at every use of a lock.
#pragma once

#include "augment/lock_event.hpp"

namespace tine::detail {

/// Makes `to` the process's listener. Returns false if libtine_locks.so is not preloaded, or if the program's functions
/// of locks are not those of that library.
bool listen_to_locks(lock_listener to) noexcept;

}  // namespace tine::detail
