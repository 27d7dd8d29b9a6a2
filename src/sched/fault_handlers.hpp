// The handler of SIGSEGV and SIGBUS: it distinguishes a stack overflow, and an access to a guard page of tine's, from
// other faults.
#pragma once

namespace tine::sched {

/// Installs the handler, once per process. Throws std::system_error.
void install_fault_handlers();

/// Gives the calling thread an alternate signal stack, if it has none. The thread keeps it until it ends.
void ensure_signal_stack() noexcept;

}  // namespace tine::sched
