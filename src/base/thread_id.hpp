// The kernel's number of the calling thread. Any thread may ask for its own.
#pragma once

#include <sys/types.h>

namespace tine::base {

/// Returns gettid(2), by a system call at the thread's first question only. A child of fork(2) has another number.
pid_t thread_id() noexcept;

}  // namespace tine::base
