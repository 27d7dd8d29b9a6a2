// The handler of SIGSEGV and SIGBUS: it distinguishes a stack overflow, and an access to a guard page of tine's, from
// other faults.
#pragma once

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/macros.hpp>

namespace tine::sched {

/// Installs the handler, once per process. Throws std::system_error.
void install_fault_handlers();

/// The function that the handler calls before a fault ends the process, with the signal; null: none. It may do what a
/// handler may do.
TINE_API extern constinit base::atomic<void (*)(int) noexcept> before_fatal_fault;

/// Gives the calling thread an alternate signal stack, if it has none. The thread keeps it until it ends.
TINE_API void ensure_signal_stack() noexcept;

}  // namespace tine::sched
