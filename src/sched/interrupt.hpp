// Interrupting a worker that does not come by a fork: the signal, its handler, and the stack it runs on. The same file
// tells a stack overflow from other faults, because it is found out the same way.
//
// Rules of the handler (src/sched/README.md has the reasons): it runs on its victim's own thread; it returns at once if
// that thread is in the scheduler; it allocates nothing, locks nothing, keeps errno, and needs no more stack than its
// own alternate one.
#pragma once

#include "sched/worker.hpp"

#include <tine/sched/options.hpp>

namespace tine::sched {

/// Installs the handlers this pool needs; once per process and signal. Throws std::system_error.
void install_handlers(const options& settings);

/// Gives the calling thread an alternate signal stack, if it has none, until it ends.
void ensure_signal_stack() noexcept;

/// The value that all our signals carry, sent ones and heartbeats: by it the handler tells them from others.
void* signal_mark() noexcept;

/// Signals the worker's thread. Only during a visit.
void send_interrupt(const worker& victim) noexcept;

}  // namespace tine::sched
